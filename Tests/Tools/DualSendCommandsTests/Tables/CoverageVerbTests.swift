import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendCore
import DualSendTool
import Foundation
import Testing

@Suite("dualsend coverage", .timeLimit(.minutes(5)))
struct CoverageVerbTests {
  private let recording = RecordingTerminal()
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private func run(_ table: String, _ events: [String], _ arguments: String...) async throws -> CommandStatus {
    let table = try folder.table(table)
    let lines = try folder.file("events.jsonl", events.joined(separator: "\n"))
    return await DualSendCommand.run(
      ["table", "coverage", table, "--events", lines] + arguments, on: recording.terminal)
  }

  @Test("is clean when every row fires, and still lists what has no row")
  func clean() async throws {
    let status = try await run(
      #"{"*": {"parameters": {"uid": "user"}}, "tap": {"parameters": {"items[].id": "things[].id", "debug": null}}}"#,
      [
        #"{"name": "tap", "parameters": {"uid": 1, "debug": 2, "items": [{"id": 3, "n": 4}, {"n": 5}]}}"#,
        #"{"name": "view", "parameters": {"tab": "x"}}"#,
      ])
    #expect(status == .clean)
    #expect(
      recording.results == """
        event without an entry  seen
        ──────────────────────  ────
        view                       1

        key without a row  in    seen  for example
        ─────────────────  ────  ────  ───────────
        items[].n          tap      2  items[0].n
        tab                view     1

        3 of 3 rows fired, 1 of 1 event in the table seen; 1 event without an entry, 2 keys without a row

        """)
  }

  @Test("lists neither the id nor the decision that DualSend adds, and an id of the app's own")
  func stamps() async throws {
    let (id, other) = ("01890a5d-ac96-774b-bcce-b302099a8057", "01890a5d-ac96-7bbb-bcce-b302099a8058")
    let lines = [
      #"{"name": "tap", "parameters": {"dual_id": "\#(id)", "dual_send": "12:both", "n": 1}}"#,
      #"{"name": "view", "parameters": {"visit": "\#(id)"}}"#,
      #"{"name": "open", "parameters": {"first": "\#(id)", "second": "\#(other)", "dual_send": "12:both"}}"#,
      #"{"name": "away", "parameters": {"dual_id": "01890A5D-AC96-4BBB-BCCE-B302099A8058", "dual_send": "12:both"}}"#,
    ]
    #expect(try await run(#"{"tap": {}, "view": {}, "open": {}, "away": {}}"#, lines, "--format", "json") == .clean)
    let json = try JSONReader().value(recording.results.utf8)
    guard case .object(let members) = json, case .array(let keys)? = members["keysWithoutRow"] else {
      throw CocoaError(.coderReadCorrupt)
    }
    let listed = keys.map { key in
      if case .object(let key) = key, case .string(let name)? = key["key"] { name } else { "" }
    }
    #expect(listed == ["dual_id", "first", "second", "n", "visit"])
  }

  @Test("ends with 1 for a row that never fired, and offers the key that it most likely means")
  func idleRow() async throws {
    #expect(
      try await run(
        #"{"tap": {"parameters": {"item_di": "new_item_id"}}}"#, [#"{"name": "tap", "parameters": {"item_id": 1}}"#])
        == .findings)
    #expect(recording.results.contains("did you mean `item_id`, which has no row?"))
  }

  @Test("says where in the table an idle row and an unseen event stand, in text and in JSON")
  func places() async throws {
    let table = """
      {"formatVersion": 1, "events": {
        "*": {"parameters": {
          "uid": "user"}},
        "tap": {"parameters": {"id": "item",
          "ctx.\\u0073creen": "screen"}},
        "gone": {}
      }}
      """
    let file = try folder.file("table.json", table)
    let lines = try folder.file("events.jsonl", #"{"name": "tap", "parameters": {"id": 1}}"#)
    let arguments = ["table", "coverage", file, "--events", lines]
    #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .findings)
    #expect(
      recording.results.hasPrefix(
        """
        row that never fired  of event  at   note
        ────────────────────  ────────  ───  ────────────────────────
        uid                   *         3:5
        ctx.screen            tap       5:5
        (all)                 gone      6:3  the event was never seen

        """))
    let json = RecordingTerminal()
    #expect(await DualSendCommand.run(arguments + ["--format", "json"], on: json.terminal) == .findings)
    #expect(
      json.results.contains(
        #"{"column":5,"didYouMean":null,"event":"tap","line":5,"source":"ctx.screen"}"#))
  }

  @Test("ends with 1 for an event that was never seen, and offers the one that it most likely means")
  func unseenEvent() async throws {
    #expect(try await run(#"{"home.tpa": {}}"#, [#"{"name": "home.tap"}"#]) == .findings)
    #expect(recording.results.contains("the event was never seen; did you mean `home.tap`, which has no entry?"))
  }

  @Test("counts a row of `*` whichever event uses it, and a row that writes its default")
  func sharedRows() async throws {
    let table = #"{"*": {"parameters": {"uid": "user", "q": {"to": "quality", "default": "auto"}}}, "tap": {}}"#
    #expect(try await run(table, [#"{"name": "tap", "parameters": {"uid": 1}}"#], "--format", "json") == .clean)
    #expect(
      recording.results.contains(
        #""rows":[{"event":"*","fired":1,"source":"q"},{"event":"*","fired":1,"source":"uid"}]"#))
  }

  @Test("does not miss a row for an empty container that rows walk into")
  func emptyContainer() async throws {
    let table = #"{"tap": {"parameters": {"items[].id": "things[].id"}}}"#
    let events = [
      #"{"name": "tap", "parameters": {"items": []}}"#, #"{"name": "tap", "parameters": {"items": [{"id": 1}]}}"#,
    ]
    #expect(try await run(table, events, "--strict") == .clean)
  }

  @Test("puts names that start alike on one line where there are more than may be shown, the most seen first")
  func groups() async throws {
    let events = (0..<300).flatMap { number in
      [
        #"{"name": "exp.\#(number)", "parameters": {"variant_\#(number)": 1, "ctx": 1}}"#,
        #"{"name": "tap", "parameters": {"ctx": 1}}"#,
      ]
    }
    #expect(try await run(#"{"tap": {}}"#, events, "--limit", "3") == .clean)
    #expect(
      recording.results == """
        event without an entry  seen
        ──────────────────────  ────
        exp.* (300 events)       300

        key without a row     in                         seen  for example
        ────────────────────  ─────────────────────────  ────  ───────────
        ctx                   301 events, such as exp.0   600
        variant_* (300 keys)  300 events, such as exp.0   300  variant_0

        0 of 0 rows fired, 1 of 1 event in the table seen; 300 events without an entry, 601 keys without a row

        """)
  }

  @Test("shows no more lines than it may, unless all are asked for; JSON lists every key")
  func limit() async throws {
    let events = ["alpha", "beta", "gamma", "delta"].enumerated().flatMap { index, key in
      Array(repeating: #"{"name": "tap", "parameters": {"\#(key)": 1}}"#, count: index + 1)
    }
    _ = try await run(#"{"tap": {}}"#, events, "--limit", "2")
    #expect(recording.results.contains("\ndelta              tap     4\ngamma              tap     3\n"))
    #expect(recording.results.contains("… and 2 more, seen 3 times; see --limit\n"))
    let (all, json) = (RecordingTerminal(), RecordingTerminal())
    let arguments = [
      "table", "coverage", folder.path("table.json"), "--events", folder.path("events.jsonl"), "--limit",
    ]
    _ = await DualSendCommand.run(arguments + ["0"], on: all.terminal)
    #expect(["alpha", "beta", "gamma", "delta"].allSatisfy { all.results.contains("\n\($0) ") })
    _ = await DualSendCommand.run(arguments + ["1", "--format", "json"], on: json.terminal)
    #expect(json.results.components(separatedBy: #""key":"#).count == 5)
  }

  @Test("counts a default only where it is written: it yields to a value that has its place already")
  func defaults() async throws {
    let table = #"{"tap": {"parameters": {"q": {"to": "quality", "default": 1}, "z": {"to": "a.b", "default": 2}}}}"#
    let lines = [
      #"{"name": "tap", "parameters": {"quality": 9}}"#, #"{"name": "tap", "parameters": {"a": {"c": 1}}}"#,
      #"{"name": "tap", "parameters": {"quality": 9, "a": {"b": 3}}}"#,
    ]
    #expect(try await run(table, lines, "--format", "json") == .clean)
    #expect(
      recording.results.contains(
        #""rows":[{"event":"tap","fired":1,"source":"q"},{"event":"tap","fired":2,"source":"z"}]"#))
  }

  @Test("fails for keys without a row only when asked to")
  func strict() async throws {
    let events = [#"{"name": "tap", "parameters": {"a": 1}}"#]
    #expect(try await run(#"{"tap": {}}"#, events) == .clean)
    #expect(try await run(#"{"tap": {}}"#, events, "--strict") == .findings)
  }

  @Test("never prints a value", arguments: ["text", "json"])
  func noValues(_ format: String) async throws {
    let event = #"{"name": "tap", "parameters": {"a": "secret", "b": {"c": ["secret"]}}, "unitID": "secret"}"#
    _ = try await run(#"{"tap": {"parameters": {"a": "x"}}}"#, [event, "secret"], "--format", format)
    #expect(!recording.results.contains("secret"))
    #expect(!recording.diagnostics.contains("secret"))
  }

  @Test("finds every row of the sample table in use")
  func samples() async throws {
    let files = ["remapping.json", "events.jsonl"].map {
      LegacyFiles.folder.appendingPathComponent("legacy/" + $0).path
    }
    let status = await DualSendCommand.run(
      ["table", "coverage", files[0], "--events", files[1]], on: recording.terminal)
    #expect(status == .clean)
    #expect(recording.results.contains("91 of 91 rows fired"))
  }

  @Test("says the same on any number of threads: counts, the first examples, and the lines that are no events")
  func threads() async throws {
    let table = try folder.table(
      #"{"tap": {"parameters": {"uid": {"to": "user", "default": 0}, "items[].id": "things[].id"}}}"#)
    var random = SplitMix64(seed: 7)
    let lines = (0..<5_000).map { number -> String in
      switch Int.random(in: 0..<40, using: &random) {
      case 0: return "broken \(number)"
      case 1: return ""
      case 2: return #"{"name": "view.\#(number % 9)", "parameters": {"k\#(number % 31)": 1}}"#
      default:
        let items = (0..<Int.random(in: 0...3, using: &random)).map { $0 % 2 == 0 ? #"{"id": 1}"# : #"{"n": 2}"# }
        let user = Bool.random(using: &random) ? #""uid": 7, "# : ""
        return #"{"name": "tap", "parameters": {\#(user)"items": [\#(items.joined(separator: ", "))]}}"#
      }
    }
    let events = try folder.file("events.jsonl", lines.joined(separator: "\n"))
    var expected: [String] = []
    for threads in [1, 2, 7] {
      let recording = RecordingTerminal()
      let status = await DualSendCommand.run(
        ["table", "coverage", table, "--events", events, "--threads", "\(threads)"], on: recording.terminal)
      #expect(status == .findings)
      if threads == 1 { expected = [recording.results, recording.diagnostics] }
      #expect([recording.results, recording.diagnostics] == expected)
    }
    #expect(expected[0].contains("items[1].n"))
    #expect(expected[1].contains("more lines are malformed"))
  }
}
