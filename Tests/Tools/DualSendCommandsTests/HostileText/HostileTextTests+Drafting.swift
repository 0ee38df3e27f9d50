import DualSendCommandTesting
import DualSendCore
import DualSendSource
import Testing

@testable import DualSendCommands

extension HostileTextTests {
  @Test("in streams, inventories and spreadsheets is printed by no verb that drafts as it is", arguments: forms)
  func drafting(_ form: String) async throws {
    let text = EventValue.string(Self.hostile)
    let line = EventValue.object(["name": text, "parameters": .object([Self.hostile: 1, "b": text])])
    let old = try folder.file("o\u{1B}\n::error::.jsonl", line.canonicalText + "\n" + Self.hostile)
    let wanted = try folder.file("w\u{202E}.csv", "event,key\n\"\(Self.hostile.replacing("\"", with: "\"\""))\",c\n")
    let (draft, output) = (["table", "draft", "--old", old, "--names", wanted], folder.path("draft"))
    _ = await run(draft + ["--output", output], form: form)
    _ = await run(draft + ["--into", try table()], form: form)
    let site = CallSite(
      file: Self.hostile, line: 1, column: 1, type: Self.hostile, function: Self.hostile,
      open: [Self.hostile],
      events: [
        SentEvent(
          name: Self.hostile + "2", isOpen: true,
          parameters: [SentParameter(key: Self.hostile, isOptional: false, types: [.int])])
      ])
    let inventory = try folder.file("calls.jsonl", Inventory([site]).jsonLines)
    _ = await run(["table", "coverage", try table(), "--inventory", inventory, "--events", old], form: form)
    let plan = try folder.file("plan\u{1B}.csv", "event,key,\(Self.hostile)\n\(Self.hostile),\"\n")
    _ = await run(["table", "import", plan], form: form)
    let sheet = try folder.file("sheet.csv", "event,key,new key\na\u{202E},k\u{9B},k\u{2066}\n")
    #expect(await run(["table", "import", sheet]).text.contains("a\\u202e"))
    let names = try folder.file("names.jsonl", "{\"name\":\"a\u{202E}\",\"parameters\":{\"k\u{9B}\":1}}\n")
    #expect(await run(["specify", "--events", names]).text.contains("k\\u009b"))
    _ = await run(["table", "draft", "--inventory", inventory, "--names", plan], form: form)
    _ = await run(["table", "draft", "--inventory", plan, "--names", inventory], form: form)
  }
}
