import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendTool
import Foundation
import Testing

@testable import DualSendCommands

@Suite("dualsend golden", .timeLimit(.minutes(5)))
struct GoldenVerbTests {
  private let folder: TemporaryFiles
  private let table = #"{"home.tap": {"name": "home.like", "parameters": {"item": "item_id"}}}"#
  private let events = [
    #"{"name": "home.tap", "parameters": {"item": 1}, "unitID": "u", "time": 1}"#,
    #"{"name": "app/start", "unitID": "u", "time": 2}"#,
    #"{"name": "home.tap", "parameters": {"item": 2}, "unitID": "u", "time": 3}"#,
  ]

  init() throws {
    folder = try TemporaryFiles()
    _ = try folder.table(table)
    _ = try folder.rollout(#""shouldSendLogToNewTracker": 100"#)
    try folder.write("events.jsonl", events.joined(separator: "\n"))
  }

  private func golden(
    _ verb: String, dir: String = "golden", _ more: String..., environment: [String: String] = [:]
  ) async -> (status: CommandStatus, terminal: RecordingTerminal) {
    let terminal = RecordingTerminal(environment: environment)
    let arguments = [
      "golden", verb, "--events", folder.path("events.jsonl"), "--remap", folder.path("table.json"), "--rollout",
      folder.path("rollout.json"), "--folder", folder.path(dir),
    ]
    return (await DualSendCommand.run(arguments + more, on: terminal.terminal), terminal)
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("golden")).sorted()
  }

  @Test("records one event of each name in a file of its own, and ends with 1")
  func record() async throws {
    let (status, terminal) = await golden("record")
    #expect(status == .findings)
    #expect(
      terminal.results == """
        new       app%2Fstart.json
        new       home.tap.json
        2 golden files recorded below \(folder.path("golden")): 2 new, 0 changed, 0 as before; 0 files without an event

        """)
    #expect(
      terminal.diagnostics.hasPrefix(
        "note: 1 more event of the same names left out; see --per-name\nnote: nothing was verified"))
    #expect(try files() == ["app%2Fstart.json", "home.tap.json"])
    #expect(try folder.read("golden/home.tap.json").contains("\"item_id\": 1"))
  }

  @Test("finds what it recorded as it is")
  func verify() async throws {
    _ = await golden("record")
    let (status, terminal) = await golden("verify")
    #expect(status == .clean)
    #expect(
      terminal.results
        == "2 events: 2 as in the golden file, 0 different, 0 without a file; 0 files without an event\n")
  }

  @Test("shows the lines that a wrong row changes, changes no file, and ends with 1")
  func wrongRow() async throws {
    _ = await golden("record")
    let before = try folder.read("golden/home.tap.json")
    _ = try folder.table(table.replacing("item_id", with: "itemid"))
    let (status, terminal) = await golden("verify")
    #expect(status == .findings)
    let changed = terminal.results.split(separator: "\n").filter { $0.hasPrefix("- ") || $0.hasPrefix("+ ") }
    #expect(changed == [#"-       "item_id": 1"#, #"+       "itemid": 1"#])
    #expect(terminal.results.hasPrefix("differs   home.tap.json  (- golden file, + now)\n"))
    #expect(terminal.results.contains("2 events: 1 as in the golden file, 1 different, 0 without"))
    #expect(try folder.read("golden/home.tap.json") == before)
  }

  @Test("a rollout that decides otherwise is a difference too")
  func otherDecision() async throws {
    _ = await golden("record")
    _ = try folder.rollout(#""shouldSendLogToNewTracker": 0"#)
    let (status, terminal) = await golden("verify")
    #expect(status == .findings)
    #expect(terminal.results.contains(#"+     "outcome": "oldOnly""#))
  }

  @Test("a file that is missing and one without an event fail")
  func missingAndOrphaned() async throws {
    _ = await golden("record")
    try folder.write("events.jsonl", events[0] + "\n" + #"{"name": "new.event"}"#)
    let (status, terminal) = await golden("verify")
    #expect(status == .findings)
    #expect(
      terminal.results == """
        missing   new.event.json
        orphaned  app%2Fstart.json
        2 events: 1 as in the golden file, 0 different, 1 without a file; 1 file without an event

        """)
    #expect(await golden("record").terminal.results.contains("orphaned  app%2Fstart.json\n"))
  }

  @Test("each of these fails alone", arguments: ["missing", "orphaned"])
  func oneOfThem(_ fault: String) async throws {
    _ = await golden("record")
    if fault == "missing" {
      try FileManager.default.removeItem(atPath: folder.path("golden/home.tap.json"))
    } else {
      try folder.write("golden/old.event.json", "{}")
    }
    let (status, terminal) = await golden("verify")
    #expect(status == .findings)
    #expect(terminal.results.hasPrefix(fault + "  "))
  }

  @Test("says which files a second recording changed")
  func recordAgain() async throws {
    _ = await golden("record")
    _ = try folder.table(table.replacing("item_id", with: "itemid"))
    let (status, terminal) = await golden("record")
    #expect(status == .findings)
    #expect(terminal.results.hasPrefix("changed   home.tap.json\n"))
    #expect(terminal.results.contains(": 0 new, 1 changed, 1 as before;"))
    #expect(await golden("verify").status == .clean)
  }

  @Test("refuses to record where `CI` is set, and verifies there all the same")
  func continuousIntegration() async throws {
    let (status, terminal) = await golden("record", environment: ["CI": "true"])
    #expect(status == .couldNotRun)
    #expect(terminal.diagnostics.hasPrefix("error: golden files are not recorded if `CI` is set\n"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("golden")))
    _ = await golden("record")
    #expect(await golden("verify", environment: ["CI": "true"]).status == .clean)
  }

  @Test("gives one JSON object as its result")
  func json() async throws {
    #expect(
      await golden("record", "--format", "json").terminal.results
        == #"{"changed":[],"leftOutEvents":1,"malformedLines":0,"new":["app%2Fstart.json","home.tap.json"],"#
        + #""orphaned":[],"recorded":2,"unchanged":0}"# + "\n")
    _ = try folder.table(table.replacing("item_id", with: "itemid"))
    let results = await golden("verify", "--format", "json").terminal.results
    let value = try JSONReader().value(results.utf8)
    #expect(value.value(at: EventPath([.key("matching")])) == 1)
    let difference = EventPath([.key("differing"), .index(0)])
    #expect(value.value(at: difference.appending("file")) == "home.tap.json")
    guard case .array(let lines)? = value.value(at: difference.appending("lines")) else {
      Issue.record("the lines are no array")
      return
    }
    #expect(lines.contains(#"-       "item_id": 1"#))
  }

  @Test("picks the same events whatever the order of the lines, and counts one that stands twice once")
  func order() async throws {
    let lines = events + [events[0], #"{"unitID": "u", "time": 3, "parameters": {"item": 2}, "name": "home.tap"}"#]
    for order in [lines, lines.reversed(), lines.sorted()] {
      try? FileManager.default.removeItem(atPath: folder.path("golden"))
      try folder.write("events.jsonl", order.joined(separator: "\n"))
      _ = await golden("record", "--per-name", "3")
      #expect(try files() == ["app%2Fstart.json", "home.tap.json", "home.tap~2.json"])
      #expect(try folder.read("golden/home.tap.json").contains("\"item_id\": 1"))
      #expect(try folder.read("golden/home.tap~2.json").contains("\"item_id\": 2"))
    }
    let (status, terminal) = await golden("verify", "--per-name", "3")
    #expect(status == .clean)
    #expect(terminal.diagnostics == "note: 2 more events of the same names left out; see --per-name\n")
    #expect(await golden("verify").terminal.results.contains("orphaned  home.tap~2.json"))
  }

  @Test("takes no number of events below 1")
  func perNameUsage() async {
    #expect(await golden("record", "--per-name", "0").status == .usage)
  }

  @Test("has a file for a name of any length, one for each")
  func longNames() async throws {
    let start = String(repeating: "é", count: 2000)
    let names = [start + "a", start + "b", start]
    try folder.write(
      "events.jsonl", names.map { EventValue.object(["name": .string($0)]).canonicalText }.joined(separator: "\n"))
    let (_, terminal) = await golden("record")
    #expect(terminal.results.contains("3 golden files recorded"))
    #expect(try files().count == 3)
    #expect(try files().allSatisfy { $0.utf8.count <= 210 })
    #expect(await golden("verify").status == .clean)
  }

  @Test("shows files that differ in the same way once, and those that differ otherwise too")
  func sameDifference() async throws {
    try folder.write(
      "events.jsonl",
      (0..<15).map { #"{"name": "e\#(10 + $0)", "parameters": {"uid": "u\#($0)", "n": 1}, "time": 1}"# }
        .joined(separator: "\n"))
    _ = try folder.table(#"{"*": {"parameters": {"uid": "user"}}}"#)
    _ = await golden("record")
    _ = try folder.table(#"{"*": {"parameters": {"uid": "unit"}}, "e13": {"parameters": {"n": null}}}"#)
    let (status, terminal) = await golden("verify")
    #expect(status == .findings)
    let heads = terminal.results.split(separator: "\n").filter { $0.hasPrefix("differs") }
    #expect(heads == ["differs   e10.json  (- golden file, + now)", "differs   e13.json  (- golden file, + now)"])
    #expect(
      terminal.results.contains(
        "\nand in the same way 13 more files: e11.json, e12.json, e14.json, e15.json, e16.json, e17.json, e18.json,"
          + " e19.json, e20.json, e21.json, …\n"))
    #expect(terminal.results.contains("15 events: 0 as in the golden file, 15 different"))
    let value = try JSONReader().value(await golden("verify", "--format", "json").terminal.results.utf8)
    guard case .array(let differing)? = value.value(at: EventPath([.key("differing")])) else {
      Issue.record("nothing differs")
      return
    }
    #expect(differing.count == 15)
  }

  @Test("names a malformed line by its number, goes on without it, and ends with 1", arguments: ["record", "verify"])
  func malformedLine(_ verb: String) async throws {
    _ = await golden("record")
    try folder.write("events.jsonl", (events + [#"{"name": 7}"#]).joined(separator: "\n"))
    let (status, terminal) = await golden(verb)
    #expect(status == .findings)
    #expect(terminal.diagnostics.contains("error[DS0401]: line 4 is not a legacy event: `name` is missing or not a"))
    #expect(terminal.results.contains("0 files without an event"))
  }

  @Test("reads schedules at the time it is told, and at no other")
  func schedule() async throws {
    _ = try folder.rollout(
      #""shouldSendLogToNewTracker": {"schedule": [{"from": "2026-01-01T00:00:00Z", "percentage": 100}]}"#)
    let (status, terminal) = await golden("record")
    #expect(status == .couldNotRun)
    #expect(terminal.diagnostics.contains("the files would change over time"))
    _ = await golden("record", "--at", "2026-01-02T00:00:00Z")
    #expect(await golden("verify", "--at", "2026-01-03T00:00:00Z").status == .clean)
    #expect(await golden("verify", "--at", "2025-12-31T00:00:00Z").status == .findings)
  }

  @Test("cannot run without a folder to compare with")
  func noFolder() async throws {
    let (status, terminal) = await golden("verify", dir: "nowhere")
    #expect(status == .couldNotRun)
    #expect(terminal.diagnostics.hasPrefix("error: there is no folder \(folder.path("nowhere"))\n"))
  }

  @Test("cannot record where no folder can be")
  func unwritableFolder() async throws {
    try folder.write("file", "")
    let (status, terminal) = await golden("record", dir: "file/golden")
    #expect(status == .couldNotRun)
    #expect(terminal.diagnostics.contains("error: cannot record below \(folder.path("file/golden")): "))
    #expect(terminal.results.isEmpty)
  }

  @Test(
    "cannot run on broken input",
    arguments: [
      ("table.json", #"{"formatVersion":1,"events":{"a":{"parameters":{"x":"z","y":"z"}}}}"#, "error[DS0103]"),
      ("rollout.json", "{", "error[DS0001]"), ("events.jsonl", "", "events.jsonl holds no legacy event"),
      ("events.jsonl", "{}", "error[DS0401]: line 1"),
    ])
  func brokenInput(file: String, text: String, finding: String) async throws {
    _ = await golden("record")
    try folder.write(file, text)
    for verb in ["record", "verify"] {
      let (status, terminal) = await golden(verb)
      #expect(status == .couldNotRun)
      #expect(terminal.diagnostics.contains(finding))
    }
  }

  @Test("finds the package's own golden files as they are")
  func samples() async throws {
    let terminal = RecordingTerminal()
    let path = { LegacyFiles.folder.appendingPathComponent($0).path }
    let arguments = [
      "golden", "verify", "--events", path("legacy/events.jsonl"), "--remap", path("legacy/remapping.json"),
      "--rollout", path("legacy/rollout-3.json"), "--folder", path("golden"),
    ]
    #expect(await DualSendCommand.run(arguments, on: terminal.terminal) == .clean)
    #expect(terminal.results.hasPrefix("45 events: 45 as in the golden file, 0 different"))
  }
}
