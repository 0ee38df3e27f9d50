import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendHTTPClient
import Foundation

/// A console that keeps what is written to it.
struct RecordingConsole: Sendable {
  private let resultText = Locked("")
  private let diagnosticText = Locked("")
  private let lines: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation
  let console: Console

  /// - Parameter input: what a verb reads that is told to read `-`.
  init(
    isTerminal: Bool = false, environment: [String: String] = [:], input: FileHandle = .nullDevice,
    transport: any HTTPTransport = SystemTransport.make()
  ) {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    (self.lines, self.continuation) = (lines, continuation)
    console = Console(
      results: Console.Stream(isTerminal: isTerminal) { [resultText] text in
        resultText.withLock { $0 += text }
        continuation.yield(text)
      },
      diagnostics: Console.Stream(isTerminal: isTerminal) { [diagnosticText] text in
        diagnosticText.withLock { $0 += text }
      },
      input: input, environment: environment, transport: transport)
  }

  var results: String { resultText.current }
  var diagnostics: String { diagnosticText.current }

  /// Says that nothing more will be written, so that nobody waits for it.
  func finish() {
    continuation.finish()
  }

  /// Waits for the next result that is written; `nil` once there will be none.
  func nextResult() async -> String? {
    for await line in lines { return line }
    return nil
  }
}
