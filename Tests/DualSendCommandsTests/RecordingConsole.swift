import DualSendCommands
import Platform

/// A console that keeps what is written to it.
struct RecordingConsole: Sendable {
  private let resultText = Locked("")
  private let diagnosticText = Locked("")
  private let lines: AsyncStream<String>
  let console: Console

  init(isTerminal: Bool = false, environment: [String: String] = [:]) {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    self.lines = lines
    console = Console(
      results: Console.Stream(isTerminal: isTerminal) { [resultText] text in
        resultText.withLock { $0 += text }
        continuation.yield(text)
      },
      diagnostics: Console.Stream(isTerminal: isTerminal) { [diagnosticText] text in
        diagnosticText.withLock { $0 += text }
      },
      environment: environment)
  }

  var results: String { resultText.current }
  var diagnostics: String { diagnosticText.current }

  /// Waits for the next result that is written.
  func nextResult() async -> String? {
    for await line in lines { return line }
    return nil
  }
}
