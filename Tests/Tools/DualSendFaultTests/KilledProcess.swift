import DualSendCrashChild
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A crash child under way, and the lines that it left.
struct KilledProcess {
  /// When the child is killed.
  enum End: Sendable {
    /// So long after it was started, ready or not.
    case afterStart(Duration)
    /// So long after its first line.
    case afterFirstLine(Duration)
    /// Not at all: it ends by itself.
    case byItself
    /// By the child itself, in the middle of what it does.
    case byOwnKill
  }

  /// The child did something else than to be killed, or to end well by itself.
  struct UnexpectedEnd: Error {
    let reason: Process.TerminationReason
    let status: Int32
  }

  /// Runs a child to its end and returns its whole lines; a kill may cut the last one.
  ///
  /// - Parameter timeZone: the zone that the child believes to be in; `nil` for this process's own.
  static func run(_ arguments: [String], until end: End, timeZone: String? = nil) async throws -> [CrashReport] {
    let (process, output) = try start(arguments, timeZone)
    var killer: Task<Void, any Error>?
    if case .afterStart(let delay) = end { killer = kill(process, after: delay) }
    var text = Data()
    for await chunk in output {
      if text.isEmpty, case .afterFirstLine(let delay) = end { killer = kill(process, after: delay) }
      text.append(chunk)
    }
    killer?.cancel()
    // A test whose time is up hears nothing of its child any more, and would wait for it on a thread that others need.
    if Task.isCancelled { kill(process) }
    // Else the child's end closed its output: this does not wait.
    process.waitUntilExit()
    try Task.checkCancellation()
    let isKilled = if case .byOwnKill = end { true } else { killer != nil }
    let expected: (Process.TerminationReason, Int32) = isKilled ? (.uncaughtSignal, SIGKILL) : (.exit, 0)
    guard (process.terminationReason, process.terminationStatus) == expected else {
      throw UnexpectedEnd(reason: process.terminationReason, status: process.terminationStatus)
    }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    return try lines.dropLast().map { try CrashReport(line: $0) }
  }

  private static func start(_ arguments: [String], _ timeZone: String?) throws -> (Process, AsyncStream<Data>) {
    let process = Process()
    process.executableURL = productsFolder.appendingPathComponent("DualSendCrashChild")
    process.arguments = arguments
    if let timeZone {
      process.environment = ProcessInfo.processInfo.environment.merging(["TZ": timeZone]) { $1 }
    }
    let pipe = Pipe()
    // As a plain handle, so that this end is closed here and now: the other one then ends with the child.
    process.standardOutput = pipe.fileHandleForWriting
    try process.run()
    try pipe.fileHandleForWriting.close()
    let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
    // A thread that blocks: on Linux a readability handler now and then misses the end.
    Thread.detachNewThread {
      while case let chunk = pipe.fileHandleForReading.availableData, !chunk.isEmpty { continuation.yield(chunk) }
      continuation.finish()
    }
    return (process, chunks)
  }

  private static func kill(_ process: Process, after delay: Duration) -> Task<Void, any Error> {
    Task {
      try await Task.sleep(for: delay)
      kill(process)
    }
  }

  private static func kill(_ process: Process) {
    // The number of a process that has ended may belong to another one by now.
    guard process.isRunning else { return }
    let pid = process.processIdentifier
    #if canImport(Darwin)
      Darwin.kill(pid, SIGKILL)
    #elseif canImport(Glibc)
      Glibc.kill(pid, SIGKILL)
    #elseif canImport(Musl)
      Musl.kill(pid, SIGKILL)
    #endif
  }

  /// Where the build put the child: beside the tests.
  private static var productsFolder: URL {
    #if canImport(Darwin)
      Bundle(for: TemporaryFolder.self).bundleURL.deletingLastPathComponent()
    #else
      Bundle.main.bundleURL
    #endif
  }
}
