import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendTool
import Foundation
import Testing

@Suite("dualsend schema", .timeLimit(.minutes(5)))
struct SchemaVerbTests {
  private let recording = RecordingTerminal()

  @Test("prints what is published", arguments: ["rollout", "remapping", "normalisation", "specification", "guard"])
  func published(_ document: String) async throws {
    #expect(await DualSendCommand.run(["schema", document], on: recording.terminal) == .clean)
    let file = LegacyFiles.folder.appendingPathComponent("schemas/\(document).schema.json")
    #expect(recording.results == (try String(contentsOf: file, encoding: .utf8)))
  }
}
