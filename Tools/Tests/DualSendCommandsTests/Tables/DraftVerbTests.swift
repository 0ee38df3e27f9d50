import DualSend
import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendCore
import DualSendJourney
import Foundation
import Testing

@Suite("dualsend draft")
struct DraftVerbTests {
  private let recording = RecordingConsole()
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private func run(_ arguments: [String], on recording: RecordingConsole? = nil) async -> CommandStatus {
    await DualSendCommand.run(["draft"] + arguments, on: (recording ?? self.recording).console)
  }

  private static let table =
    #"{"tap": {"name": "home.tap", "parameters": {"item": "item_id", "debug": null,"#
    + #" "n": {"to": "number", "type": "int"}, "k": {"to": "kind", "values": {"a": "first", "b": "second"}}},"#
    + #" "add": {"schema": 2}}}"#

  /// Writes both streams of a migration through a table.
  ///
  /// - Returns: the arguments that name them.
  private func streams(_ count: Int = 400, times: Bool = false) throws -> [String] {
    let table = try RemappingTable(Data(#"{"formatVersion": 1, "events": \#(Self.table)}"#.utf8))
    var (old, new): ([String], [String]) = ([], [])
    for number in 0..<count {
      let payload: [String: EventValue] = [
        "item": .string("item-\(number * 7919 % 1000)"), "n": .string("\(number % 17)"), "debug": .int(Int64(number)),
        "k": number % 3 == 0 ? "a" : "b", "stays": .double(Double(number) / 4),
      ]
      let id = EventValue.string("id-\(number)")
      let remapped = table.apply(to: "tap", payload: payload)
      let (unit, time) = (EventValue.string("u\(number % 7)"), EventValue.int(Int64(number * 1000)))
      var oldLine: [String: EventValue] = ["name": "tap", "parameters": .object(payload)]
      var newLine: [String: EventValue] = ["eventName": .string(remapped.name), "payload": .object(remapped.payload)]
      if times {
        (oldLine["unitID"], oldLine["time"]) = (unit, time)
        newLine["eventTime"] = .int(Int64(number * 1000 + 3))
        newLine["payload"] = .object(remapped.payload.merging(["user": unit]) { first, _ in first })
      } else {
        (oldLine["eventId"], newLine["eventId"]) = (id, id)
      }
      old.append(EventValue.object(oldLine).canonicalText)
      new.append(EventValue.object(newLine).canonicalText)
    }
    return [
      "--old", try folder.file("old.jsonl", old.joined(separator: "\n")),
      "--new", try folder.file("new.jsonl", new.reversed().joined(separator: "\n")),
    ]
  }

  @Test("writes a table by which `parity` finds no difference, and says what held-out pairs say of it")
  func parity() async throws {
    let streams = try streams()
    #expect(await run(streams + ["--output", folder.path("draft.json")]) == .clean)
    #expect(recording.diagnostics.contains("400 pairs, 0 lines without a partner; 320 learned from, 80 held out"))
    #expect(recording.diagnostics.contains("held-out pairs: 80 of 80 equal (100.00 %); fields: 400 of 400 equal"))
    #expect(recording.diagnostics.contains("6 of 6 claims hold"))
    #expect(recording.diagnostics.contains("1 event: 1 new name, 4 rows, 1 constant; 0 questions left open"))
    let parity = RecordingConsole()
    let arguments = ["parity", "--remap", folder.path("draft.json")] + streams
    #expect(await DualSendCommand.run(arguments, on: parity.console) == .clean)
    #expect(try folder.read("draft.json").contains("`item` to `item_id`: 320 pairs, 320 agree, 0 contradict"))
    #expect(await run(streams + ["--output", folder.path("draft.json")]) == .couldNotRun)
  }

  @Test("joins by unit and order in time where no line has an id")
  func order() async throws {
    let streams = try streams(times: true)
    #expect(await run(streams + ["--join", "order", "--unit-key", "user", "--window", "10"]) == .clean)
    #expect(recording.results.contains(#""item": "item_id""#))
    #expect(recording.results.contains("`user` does not come from a single old key"))
  }

  @Test("adds to a table what is missing, and names the row that the evidence contradicts")
  func into() async throws {
    let streams = try streams()
    let table = try folder.table(#"{"tap": {"name": "home.tap", "parameters": {"item": "thing"}}}"#)
    #expect(await run(streams + ["--into", table]) == .findings)
    #expect(recording.results.hasSuffix("+ tap: adds `schema`\n4 added\n"))
    #expect(recording.diagnostics.contains("warning[DS1101]: the row of `item` contradicts the evidence"))
    #expect(recording.diagnostics.contains("table.json:1:"))
    let text = try folder.read("table.json")
    #expect(text.contains(#"{"item": "thing", "debug": null"#))
    #expect(!recording.diagnostics.contains("the pairs contradict"))
    let again = RecordingConsole()
    #expect(await run(streams + ["--into", table], on: again) == .findings)
    #expect(again.results == "0 added\n")
    #expect(try folder.read("table.json") == text)
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
    let stream = RecordingConsole()
    let old = try folder.file("old.jsonl", #"{"name": "homeTap", "parameters": {"itemId": 1}}"#)
    #expect(await run(["--old", old, "--names", plan], on: stream) == .clean)
    #expect(stream.results == recording.results)
  }

  @Test("says what is wrong with streams that are none, or have nothing in common")
  func broken() async throws {
    let words = try folder.file("words", String(repeating: "hello\n", count: 50))
    #expect(await run(["--old", words, "--new", words]) == .couldNotRun)
    #expect(recording.diagnostics.contains("no line of one stream has a partner in the other"))
    for file in [folder.path("none"), folder.folder.path] {
      let console = RecordingConsole()
      #expect(await run(["--old", file, "--new", words], on: console) == .couldNotRun)
      #expect(console.diagnostics.contains("cannot read"))
    }
    let streams = try streams()
    let unread = RecordingConsole()
    try FileManager.default.createDirectory(atPath: folder.path("folder"), withIntermediateDirectories: false)
    #expect(await run(streams + ["--output", folder.path("none/draft.json")], on: unread) == .couldNotRun)
    #expect(unread.diagnostics.contains("cannot write"))
    #expect(await run(streams + ["--into", words], on: RecordingConsole()) == .couldNotRun)
  }

  @Test(
    "refuses a command line that means nothing",
    arguments: [
      [], ["--old", "a"], ["--names", "a"], ["--names", "a", "--old", "b", "--inventory", "c"],
      ["--old", "a", "--new", "b", "--confidence", "1"], ["--old", "a", "--new", "b", "--window", "-1"],
      ["--old", "a", "--new", "b", "--unit-key", "u"], ["--old", "a", "--new", "b", "--into", "c", "--output", "d"],
    ])
  func usage(_ arguments: [String]) async {
    #expect(await run(arguments) == .usage)
  }
}
