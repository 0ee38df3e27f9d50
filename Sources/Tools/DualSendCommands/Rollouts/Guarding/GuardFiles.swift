import DualSendCommandLine
import DualSendCore
import DualSendGuard
import Foundation

#if canImport(Darwin)
  import Darwin
#endif

/// The files of a guard's state and log. Of the decisions to wait within an hour, the log keeps the last one. Locks a file
/// beside the state, so that a state has one guard at a time.
final class GuardFiles: GuardMemory {
  private static let hour: Int64 = 3_600_000

  private let statePath: String
  private let logPath: String
  private let logHandle: FileHandle
  private let lock: FileHandle

  /// - Throws: ``CommandError`` if another guard has the state.
  init(state: String, log: String) throws {
    (statePath, logPath) = (state, log)
    let lockDescriptor = open(state + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard lockDescriptor >= 0 else { throw CommandError("cannot write \(state).lock", help: "check the path") }
    lock = FileHandle(fileDescriptor: lockDescriptor, closeOnDealloc: true)
    guard flock(lockDescriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw CommandError("another guard has the state \(state)", help: "end it, or wait until it has ended")
    }
    let descriptor = open(log, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw CommandError("cannot write \(log)", help: "check the path") }
    logHandle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// The state in a file, without taking the lock.
  static func state(at path: String) throws -> GuardState? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let bytes = try InputFile.exactBytes(path)
    guard let value = try? JSONReader(maximumBytes: 1 << 30).value(bytes), let state = GuardState(value) else {
      throw CommandError(
        "\(path) is not the state of a guard", help: "move it away to begin anew from the live document")
    }
    return state
  }

  func state() throws -> GuardState? { try Self.state(at: statePath) }

  func keep(_ state: GuardState) throws {
    try InputFile.replace(statePath, with: Array((state.json.canonicalText + "\n").utf8))
  }

  func lastLogged() throws -> GuardDecision? {
    try InputFile.opened(logPath, lastLine).map { try Self.decision($0, in: logPath) }
  }

  /// The decision of a log's last complete line, read without changing the log.
  static func lastLogged(in path: String) throws -> GuardDecision? {
    guard let handle = try OpenedFile.ifAny(path)?.handle else { return nil }
    return try InputFile.opened(path) { try lastLine(of: handle).line }.map { try decision($0, in: path) }
  }

  private static func decision(_ line: Data, in path: String) throws -> GuardDecision {
    guard let decision = (try? JSONReader().value(line)).flatMap({ GuardDecision($0) }) else {
      throw CommandError(
        "the last line of \(path) is not a decision of a guard",
        help: "move the file away to begin anew from the live document")
    }
    return decision
  }

  func log(_ decision: GuardDecision) throws {
    do {
      // Read in every case, because this also removes an incomplete last line.
      let last = try lastLine()
      let size = try logHandle.seekToEnd()
      if let last, let earlier = (try? JSONReader().value(last)).flatMap({ GuardDecision($0) }),
        earlier.number == decision.number, earlier.action == decision.action
      {
        guard decision.action == .wait else { return }
        // One line an hour bounds the log of months of waiting.
        if earlier.time / Self.hour == decision.time / Self.hour {
          try logHandle.truncate(atOffset: size - UInt64(last.count) - 1)
        }
      }
      try logHandle.write(contentsOf: Data((decision.json.canonicalText + "\n").utf8))
      try logHandle.synchronize()
    } catch {
      throw CommandError("cannot write \(logPath): \(error.localizedDescription)", help: "check the disk")
    }
  }

  /// The last complete line. Removes an incomplete one after it.
  private func lastLine() throws -> Data? {
    let (line, end) = try Self.lastLine(of: logHandle)
    if try logHandle.seekToEnd() > end { try logHandle.truncate(atOffset: end) }
    return line
  }

  /// The last complete line, and the offset at which it ends.
  private static func lastLine(of handle: FileHandle) throws -> (line: Data?, end: UInt64) {
    let size = try handle.seekToEnd()
    guard size > 0 else { return (nil, 0) }
    var length: UInt64 = 1 << 16
    while true {
      let start = size > length ? size - length : 0
      try handle.seek(toOffset: start)
      let tail = try handle.readToEnd() ?? Data()
      let newline = UInt8(ascii: "\n")
      if let end = tail.lastIndex(of: newline) {
        let before = tail[..<end].lastIndex(of: newline)
        if before != nil || start == 0 {
          return (tail[(before.map { $0 + 1 } ?? tail.startIndex)..<end], start + UInt64(end - tail.startIndex) + 1)
        }
      } else if start == 0 {
        return (nil, 0)
      }
      length *= 4
    }
  }
}

// MARK: - The machine's clocks

extension GuardMoment {
  /// The clock, and the time since the machine started.
  @Sendable static func system() -> GuardMoment {
    let uptime = TimeSource.system.uptime().components
    return GuardMoment(
      time: TimeSource.system.wallMilliseconds(),
      uptime: uptime.seconds * 1000 + uptime.attoseconds / 1_000_000_000_000_000, boot: boot)
  }

  /// Of this start of this machine.
  private static let boot: String? = {
    #if canImport(Darwin)
      var text = [CChar](repeating: 0, count: 64)
      var size = text.count
      guard sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0 else { return nil }
      return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
      return try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    #endif
  }()
}
