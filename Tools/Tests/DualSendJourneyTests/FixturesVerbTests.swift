import DualSendCommandLine
import DualSendCommandTesting
import DualSendJourney
import Foundation
import Testing

@Suite("dualsend fixtures")
struct FixturesVerbTests {
  private let recording = RecordingTerminal()
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fixtures-\(UUID())")

  private func run(_ arguments: String...) async -> CommandStatus {
    await DualSendCommand.run(["fixtures"] + arguments, on: recording.terminal)
  }

  @Test("gives the committed files byte for byte")
  func committedFilesAreCurrent() async {
    #expect(await run("--check", "--out", LegacyFiles.folder.path) == .clean)
  }

  @Test("writes files that its own check accepts")
  func writes() async throws {
    #expect(await run("--out", folder.path) == .clean)
    #expect(await run("--check", "--out", folder.path) == .clean)
    try FileManager.default.removeItem(at: folder)
  }

  @Test("names each file that differs or is missing and ends with 1")
  func findsDifferences() async throws {
    _ = await run("--out", folder.path)
    try Data("{}".utf8).write(to: folder.appendingPathComponent("legacy/rollout-3.json"))
    try FileManager.default.removeItem(at: folder.appendingPathComponent("legacy/remapping.json"))
    #expect(await run("--check", "--out", folder.path) == .findings)
    #expect(
      recording.results.hasSuffix("legacy/remapping.json\nlegacy/rollout-3.json\n2 files differ below \(folder.path)\n")
    )
    try FileManager.default.removeItem(at: folder)
  }

  @Test("gives other events for another seed")
  func seeds() async {
    #expect(await run("--check", "--seed", "1", "--format", "json", "--out", LegacyFiles.folder.path) == .findings)
    #expect(recording.results == #"{"differ":["legacy/events.jsonl"]}"# + "\n")
  }
}
