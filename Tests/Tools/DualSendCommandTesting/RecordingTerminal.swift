package import DualSendCommandLine
package import DualSendCore
import DualSendHTTPClient
package import Foundation

/// A terminal that keeps what is written to it.
package struct RecordingTerminal: Sendable {
  private let resultText = Locked("")
  private let diagnosticText = Locked("")
  private let lines: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation
  package let terminal: Terminal

  /// - Parameter input: what a verb reads that is told to read `-`.
  package init(
    isTerminal: Bool = false, environment: [String: String] = [:], input: FileHandle = .nullDevice,
    transport: any HTTPTransport = SystemTransport.make()
  ) {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    (self.lines, self.continuation) = (lines, continuation)
    terminal = Terminal(
      results: Terminal.Stream(isTerminal: isTerminal) { [resultText] text in
        resultText.withLock { $0 += text }
        continuation.yield(text)
      },
      diagnostics: Terminal.Stream(isTerminal: isTerminal) { [diagnosticText] text in
        diagnosticText.withLock { $0 += text }
      },
      input: input, environment: environment, transport: transport)
  }

  package var results: String { resultText.current }
  package var diagnostics: String { diagnosticText.current }

  /// Says that nothing more will be written, so that nobody waits for it.
  package func finish() {
    continuation.finish()
  }

  /// Waits for the next result that is written; `nil` once there will be none.
  package func nextResult() async -> String? {
    for await line in lines { return line }
    return nil
  }
}
