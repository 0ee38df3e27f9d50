import DualSendCommandLine
import DualSendConformance
import DualSendCore
import Foundation

/// A program that reads a question a line and answers a line, in a process of its own.
///
/// Blocks while it waits for an answer, at most for the given time, and ends the program when it is done.
final class EvaluatorProcess {
  /// Why there is no answer to a question.
  enum Silence: Error {
    /// The time for one answer is over.
    case timeout
    /// The program closed its output.
    case ended(status: Int32)
    /// The line is longer than any answer.
    case endlessLine
  }

  private static let maximumLine = 1 << 20

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let timeout: Duration
  private var buffer: [UInt8] = []

  /// Starts a program by a shell.
  init(_ command: String, timeout: Duration) throws {
    self.timeout = timeout
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit { end() }

  /// Sends a question and waits for the answer's line.
  func answer(to question: String) throws(Silence) -> [UInt8] {
    // Where the program has ended, the next read says so.
    try? input.fileHandleForWriting.write(contentsOf: Data((question + "\n").utf8))
    let deadline = ContinuousClock.now + timeout
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeSubrange(...end) }
        return Array(buffer[..<end])
      }
      guard buffer.count < Self.maximumLine else { throw .endlessLine }
      buffer += try piece(until: deadline)
    }
  }

  private func piece(until deadline: ContinuousClock.Instant) throws(Silence) -> [UInt8] {
    let descriptor = output.fileHandleForReading.fileDescriptor
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
      guard left > 0 else { throw .timeout }
      let ready = poll(&wanted, 1, Int32(min(left.rounded(.up), 60_000)))
      if ready < 0, errno != EINTR { throw .ended(status: exitStatus) }
      guard ready > 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .ended(status: exitStatus) }
      return Array(bytes[..<count])
    }
  }

  private var exitStatus: Int32 {
    end()
    return process.terminationStatus
  }

  /// Closes the program's input and waits a moment; a program that still runs is killed, and what it started with it.
  func end() {
    try? input.fileHandleForWriting.close()
    let deadline = ContinuousClock.now + .seconds(1)
    while process.isRunning, ContinuousClock.now < deadline { usleep(5_000) }
    guard process.isRunning else { return }
    let id = process.processIdentifier
    _ = kill(getpgid(id) == id ? -id : id, SIGKILL)
    process.waitUntilExit()
  }
}
