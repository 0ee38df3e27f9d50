import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendSource
import Foundation

/// A console that keeps what is written to it.
struct RecordingTerminal: Sendable {
  private let resultText = Locked("")
  private let diagnosticText = Locked("")
  let terminal: Terminal

  /// - Parameter onResult: what happens meanwhile, each time that a result is written.
  init(isTerminal: Bool = false, onResult: @escaping @Sendable () -> Void = {}) {
    terminal = Terminal(
      results: Terminal.Stream(isTerminal: isTerminal) { [resultText] text in
        resultText.withLock { $0 += text }
        onResult()
      },
      diagnostics: Terminal.Stream(isTerminal: isTerminal) { [diagnosticText] text in
        diagnosticText.withLock { $0 += text }
      },
      input: .nullDevice, environment: ["NO_COLOR": "1"], transport: Unreachable())
  }

  var results: String { resultText.current }
  var diagnostics: String { diagnosticText.current }

  private struct Unreachable: HTTPTransport {
    func send(_: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
      throw .connectionFailed("nobody is asked")
    }
  }
}

/// A command with only the verbs about sources.
struct SourceCommand: CommandRoot {
  static let configuration = CommandConfiguration(commandName: "dualsend", subcommands: SourceVerbs.all)
}

/// What a verb left: how it ended, and what it wrote.
struct VerbRun {
  let status: CommandStatus
  let results: String
  let diagnostics: String

  static func of(_ arguments: [String], isTerminal: Bool = false) async -> VerbRun {
    let recording = RecordingTerminal(isTerminal: isTerminal)
    let status = await SourceCommand.run(arguments, on: recording.terminal)
    return VerbRun(status: status, results: recording.results, diagnostics: recording.diagnostics)
  }
}
