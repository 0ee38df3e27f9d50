import DualSendCommandLine
import DualSendCore
import DualSendGuard
import Foundation

/// Sends a decision to the policy's webhook and command. After a crash, each may get a decision twice, with the same
/// number.
struct GuardMessenger: Sendable {
  private static let timeout = Duration.seconds(30)
  /// The time from SIGTERM to SIGKILL.
  private static let grace = Duration.seconds(5)

  let webhook: String?
  let command: [String]
  let terminal: Terminal

  /// The channels that the policy has.
  var channels: [Guard.Channel] {
    var channels: [Guard.Channel] = []
    if let webhook = webhook.flatMap({ Webhook($0, on: terminal) }) {
      channels.append(Guard.Channel("webhook") { try await webhook.post($0.json) })
    }
    if let program = command.first {
      channels.append(
        Guard.Channel("command") { decision in
          try await run(program, Array(command.dropFirst()), input: Array(decision.json.canonicalText.utf8))
        })
    }
    return channels
  }

  private func run(_ program: String, _ arguments: [String], input: [UInt8]) async throws {
    // A file, not a pipe: a program that does not read must not end this process by SIGPIPE.
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("dualsend-guard-\(UUID())")
    try Data(input).write(to: file, options: .withoutOverwriting)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardInput = try FileHandle(forReadingFrom: file)
    process.standardOutput = FileHandle.standardError
    let (ended, continuation) = AsyncStream.makeStream(of: Never.self)
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
    let deadline = Task {
      try await TimeSource.system.sleep(Self.timeout)
      process.terminate()
      try await TimeSource.system.sleep(Self.grace)
      kill(process.processIdentifier, SIGKILL)
    }
    defer { deadline.cancel() }
    for await _ in ended {}
    // A cancelled task leaves the loop while the program runs. A running process has no status.
    if Task.isCancelled, process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      throw CancellationError()
    }
    guard process.terminationStatus == 0 else {
      throw CommandError("\(program) ended with status \(process.terminationStatus)")
    }
  }
}
