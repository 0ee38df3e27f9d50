import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendTool
import Foundation
import Testing

@Suite("dualsend table draft", .timeLimit(.minutes(5)))
struct DraftVerbTests {
  private let recording = RecordingTerminal()
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private func run(_ arguments: [String], on recording: RecordingTerminal? = nil) async -> CommandStatus {
    await DualSendCommand.run(["table", "draft"] + arguments, on: (recording ?? self.recording).terminal)
  }

  @Test("drafts from an inventory, or from an old stream, and a tracking plan by names")
  func names() async throws {
    let plan = try folder.file("plan.csv", "event,key\nhome.tap,item_id\n")
    let site =
      #"{"certainty":"exact","column":1,"events":[{"name":"homeTap","open":false,"parameters":["#
      + #"{"key":"itemId","optional":false,"types":["int"]}]}],"file":"a.swift","function":"","line":1,"open":[],"#
      + #""type":"","via":[]}"#
    let inventory = try folder.file("calls.jsonl", site)
    #expect(await run(["--inventory", inventory, "--names", plan]) == .clean)
    #expect(recording.results.contains(#""itemId": "item_id""#))
    let stream = RecordingTerminal()
    let old = try folder.file("old.jsonl", #"{"name": "homeTap", "parameters": {"itemId": 1}}"#)
    #expect(await run(["--old", old, "--names", plan], on: stream) == .clean)
    #expect(stream.results == recording.results)
    #expect(
      stream.diagnostics == "1 event: 1 new name, 1 row; 2 of the matches sure, 0 to check, 0 questions left open\n")
  }

  @Test("drafts a table that covers the call sites, those of keys that keep their names too")
  func covered() async throws {
    let plan = try folder.file("plan.csv", "event,key\nhome.tap,item_id\nhome.tap,user_count\n")
    let site =
      #"{"certainty":"exact","column":1,"events":[{"name":"homeTap","open":false,"parameters":["#
      + #"{"key":"itemId","optional":false,"types":["int"]},{"key":"user_count","optional":false,"types":["int"]}]}],"#
      + #""file":"a.swift","function":"","line":1,"open":[],"type":"","via":[]}"#
    let inventory = try folder.file("calls.jsonl", site)
    let table = folder.path("draft.json")
    #expect(await run(["--inventory", inventory, "--names", plan, "--output", table]) == .clean)
    #expect(
      recording.diagnostics == "1 event: 1 new name, 2 rows; 3 of the matches sure, 0 to check, 0 questions left open\n"
    )
    let coverage = ["table", "coverage", table, "--inventory", inventory, "--strict"]
    #expect(await DualSendCommand.run(coverage, on: recording.terminal) == .clean)
    #expect(!recording.diagnostics.contains("DS"))
  }

  @Test("adds to a table what is missing, and names the row that the draft contradicts")
  func into() async throws {
    let plan = try folder.file("plan.csv", "event,key\nhome.tap,item_id\nhome.tap,user_id\n")
    let old = try folder.file("old.jsonl", #"{"name": "homeTap", "parameters": {"itemId": 1, "userId": 2}}"#)
    let table = try folder.table(#"{"homeTap": {"parameters": {"itemId": "thing"}}}"#)
    let arguments = ["--old", old, "--names", plan, "--into", table]
    #expect(await run(arguments) == .findings)
    #expect(recording.results == "+ homeTap: the new name `home.tap`\n+ homeTap: `userId` to `user_id`\n2 added\n")
    #expect(recording.diagnostics.contains("warning[DS1101]: the row of `itemId` contradicts the draft"))
    #expect(recording.diagnostics.contains("table.json:1:"))
    let text = try folder.read("table.json")
    #expect(text.contains(#"{"itemId": "thing", "userId": "user_id"}"#))
    let again = RecordingTerminal()
    #expect(await run(arguments, on: again) == .findings)
    #expect(again.results == "0 added\n")
    #expect(try folder.read("table.json") == text)
  }

  @Test("ends with 1 for a malformed line, and overwrites no file")
  func malformed() async throws {
    let plan = try folder.file("plan.csv", "event,key\ntap,id\n")
    let old = try folder.file("old.jsonl", "{\"name\": \"tap\", \"parameters\": {}}\nhello\n")
    let arguments = ["--old", old, "--names", plan, "--output", folder.path("draft.json")]
    #expect(await run(arguments) == .findings)
    #expect(recording.diagnostics.contains("old.jsonl:2"))
    #expect(await run(arguments) == .couldNotRun)
    #expect(recording.diagnostics.contains("draft.json already exists"))
  }

  @Test("says what is wrong with files that cannot be read or written")
  func broken() async throws {
    let words = try folder.file("words", "hello\n")
    let plan = try folder.file("plan.csv", "event,key\ntap,id\n")
    let old = try folder.file("old.jsonl", #"{"name": "tap", "parameters": {}}"#)
    for more in [["--output", folder.path("none/draft.json")], ["--into", words]] {
      #expect(await run(["--old", old, "--names", plan] + more, on: RecordingTerminal()) == .couldNotRun)
    }
    for file in [folder.path("none"), folder.folder.path] {
      let terminal = RecordingTerminal()
      #expect(await run(["--old", file, "--names", plan], on: terminal) == .couldNotRun)
      #expect(terminal.diagnostics.contains("cannot read"))
    }
  }

  @Test(
    "refuses a command line that means nothing",
    arguments: [
      [], ["--old", "a"], ["--names", "a"], ["--names", "a", "--old", "b", "--inventory", "c"],
      ["--old", "a", "--new", "b"], ["--old", "a", "--names", "b", "--into", "c", "--output", "d"],
    ])
  func usage(_ arguments: [String]) async {
    #expect(await run(arguments) == .usage)
  }
}
