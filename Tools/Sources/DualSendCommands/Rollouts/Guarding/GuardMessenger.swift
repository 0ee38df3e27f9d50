import DualSendCommandLine
import DualSendCore
import DualSendGuard
import Foundation

/// Sends a decision to the policy's webhook and command. After a crash, each may get a decision twice, with the same
/// number.
struct GuardMessenger: Sendable {
  private static let timeout = Duration.seconds(30)

  let webhook: String?
  let command: [String]
  let terminal: Terminal

  func tell(_ decision: GuardDecision) async throws {
    let body = Array(decision.json.canonicalText.utf8)
    if let webhook { try await post(body, to: webhook) }
    if let program = command.first { try await run(program, Array(command.dropFirst()), input: body) }
  }

  private func post(_ body: [UInt8], to text: String) async throws {
    guard let address = DocumentAddress(text) else { throw CommandError("the webhook is not an http or https address") }
    let request = HTTPTransportRequest(
      method: "POST", url: address.url,
      headers: address.headers.merging(["Content-Type": "application/json"]) { own, _ in own }, body: body,
      timeout: Self.timeout, maximumResponseBytes: 1 << 16)
    let answer: HTTPTransportResponse
    do { answer = try await terminal.transport.send(request) } catch {
      throw CommandError("cannot reach \(address.name): \(error)")
    }
    guard (200..<300).contains(answer.status) else {
      throw CommandError("\(address.name) answered with status \(answer.status)")
    }
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
    }
    for await _ in ended {}
    deadline.cancel()
    guard process.terminationStatus == 0 else {
      throw CommandError("\(program) ended with status \(process.terminationStatus)")
    }
  }
}
