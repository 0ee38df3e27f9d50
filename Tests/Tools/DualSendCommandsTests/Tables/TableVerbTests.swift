import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendTool
import Foundation
import Testing

@Suite("dualsend table", .timeLimit(.minutes(5)))
struct TableVerbTests {
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private func run(_ arguments: String..., on recording: RecordingTerminal) async -> CommandStatus {
    await DualSendCommand.run(["table"] + arguments, on: recording.terminal)
  }

  @Test("exports the fixtures' table, and imports the same table again")
  func roundTrip() async throws {
    let table = LegacyFiles.folder.appendingPathComponent("legacy/remapping.json").path
    let (csv, json, again) = (RecordingTerminal(), RecordingTerminal(), RecordingTerminal())
    #expect(await run("export", table, on: csv) == .clean)
    _ = await run("import", try folder.file("plan.csv", csv.results), on: json)
    #expect(await run("export", try folder.file("again.json", json.results), on: again) == .clean)
    #expect(csv.results.split(separator: "\r\n").count > 50)
    #expect(csv.results.split(separator: "\r\n").sorted() == again.results.split(separator: "\r\n").sorted())
    let markdown = RecordingTerminal()
    #expect(await run("export", table, "--format", "md", on: markdown) == .clean)
    #expect(markdown.results.hasPrefix("| event | key | new event | new key | action |"))
    let objects = RecordingTerminal()
    #expect(await run("export", table, "--format", "json", on: objects) == .clean)
    #expect(objects.results.hasPrefix(#"[{"action":"event","event":"#))
  }

  @Test("prints no table of a spreadsheet that is wrong, and names the cell")
  func broken() async throws {
    let recording = RecordingTerminal()
    let plan = try folder.file("plan.csv", "event,key,new key,action\ntap,a,b,\ntap,c,,\n")
    #expect(await run("import", plan, on: recording) == .couldNotRun)
    #expect(recording.results.isEmpty)
    #expect(recording.diagnostics.contains("error[DS1205]: B3: `c` has no new key\n  --> \(plan):3:5\n"))
  }

  @Test("says which heading was taken for which column, and takes a choice")
  func headings() async throws {
    let recording = RecordingTerminal()
    let plan = try folder.file("plan.csv", "Old event;what;New parameter;Notes\ntap;a;b;x\n")
    #expect(await run("import", plan, "--column", "key=What", on: recording) == .clean)
    #expect(
      recording.diagnostics
        == "note: columns: event (`Old event`), key (`what`), new key (`New parameter`); not read: `Notes`\n")
    #expect(recording.results.contains(#""parameters": { "a": "b" }"#))
    let unknown = RecordingTerminal()
    #expect(await run("import", plan, "--column", "kee=What", on: unknown) == .usage)
    #expect(unknown.diagnostics.contains("`kee=What` is not a column and its heading"))
  }

  @Test("reads from standard input, also nothing at all")
  func input() async throws {
    let recording = RecordingTerminal(input: try folder.input("event\ntap\n"))
    #expect(await run("import", "-", on: recording) == .clean)
    #expect(recording.results.contains(#""tap": {}"#))
    let empty = RecordingTerminal(input: try folder.input(""))
    #expect(await run("import", "-", on: empty) == .couldNotRun)
    #expect(empty.diagnostics.contains("the file is empty"))
  }
}
