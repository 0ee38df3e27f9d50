import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendTool
import Foundation
import Testing

@Suite("A verb whose server closes connections", .timeLimit(.minutes(5)))
struct ClosedConnectionVerbTests {
  private let recording = RecordingTerminal()
  private let files: TemporaryFiles

  init() throws {
    files = try TemporaryFiles()
  }

  @Test("reads the document all the same", arguments: ["watch", "plan", "validate"])
  func reads(_ verb: String) async throws {
    let document = try files.rollout(#""shouldSendLogToNewTracker": 5"#)
    let server = try await ClosingServer(
      closing: .afterHead, document: Array(try Data(contentsOf: URL(fileURLWithPath: document))))
    let address = server.url.absoluteString
    let arguments =
      switch verb {
      case "watch": ["watch", address, "--once"]
      case "plan":
        ["plan", address, try files.rollout(#""shouldSendLogToNewTracker": 25"#, named: "next.json", revision: 2)]
      default: [verb, address]
      }
    #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .clean, "\(recording.diagnostics)")
    #expect(server.requests == 3)
    await server.stop()
  }
}
