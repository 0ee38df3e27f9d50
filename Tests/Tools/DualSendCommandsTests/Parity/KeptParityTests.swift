import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendTool
import Foundation
import Testing

@testable import DualSendCommands

@Suite("dualsend parity --trend", .timeLimit(.minutes(5)))
struct KeptParityTests {
  private static let day: Int64 = 86_400_000
  /// 2026-10-01_ in milliseconds since 1970-01-01T00:00:00Z.
  private static let first = 20_727 * day
  private let folder: TemporaryFiles
  private var kept: String { folder.path("rollout.json.parity.jsonl") }

  init() throws {
    folder = try TemporaryFiles()
    try folder.write("table.json", #"{"formatVersion":1,"events":{}}"#)
  }

  /// Streams of events `id` at a time since the first day, of which `differing` differ.
  private func write(_ events: [(id: String, time: Int64)], name: String = "tap", differing: Set<String> = []) throws {
    let name = EventValue.string(name).canonicalText
    let olds = events.map {
      #"{"decision":"7:both","eventId":"\#($0.id)","name":\#(name),"parameters":{"v":1},"time":\#(Self.first + $0.time)}"#
    }
    let news = events.map {
      let value = differing.contains($0.id) ? 2 : 1
      return
        #"{"decision":"7:both","eventId":"\#($0.id)","eventName":\#(name),"eventTime":\#(Self.first + $0.time),"payload":{"v":\#(value)}}"#
    }
    try folder.write("old.jsonl", olds.joined(separator: "\n"))
    try folder.write("new.jsonl", news.joined(separator: "\n"))
  }

  private func keep() async -> (status: CommandStatus, terminal: RecordingTerminal) {
    await dualsend(
      "parity", "--old", folder.path("old.jsonl"), "--new", folder.path("new.jsonl"), "--remap",
      folder.path("table.json"), "--trend", kept)
  }

  private func csv(_ more: String...) async -> [String] {
    let terminal = RecordingTerminal()
    _ = await DualSendCommand.run(["parity", "--trend", kept, "--format", "csv"] + more, on: terminal.terminal)
    return terminal.results.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
  }

  private let header = "events,pairs,differing,lost,unexpected,undecided,judged,failing"

  @Test("a day is replaced as a whole, a rerun changes nothing, and a log with less of a day does not count")
  func replacement() async throws {
    try write([("a", 1), ("b", 2), ("c", Self.day)], differing: ["b"])
    #expect(await keep().terminal.diagnostics.contains("2 days from 2026-10-01 to 2026-10-02 kept in \(kept)"))
    let first = ["date,revisions,\(header)", "2026-10-01,7,2,2,1,0,0,0,2,1", "2026-10-02,7,1,1,0,0,0,0,1,0"]
    #expect(await csv() == first)
    let bytes = try folder.read("rollout.json.parity.jsonl")
    _ = await keep()
    #expect(try folder.read("rollout.json.parity.jsonl") == bytes)
    // The next night's logs: the end of one day, and the next.
    try write([("b", 2), ("c", Self.day), ("d", Self.day + 1)])
    let later = await keep().terminal
    #expect(later.diagnostics.contains("2026-10-01 stays as it was: these logs have 1 of its 2 events"))
    #expect(await csv() == Array(first.prefix(2)) + ["2026-10-02,7,2,2,0,0,0,0,2,0"])
  }

  @Test("sums by event, revision and all, for chosen events and days")
  func groups() async throws {
    try write([("a", 1), ("b", Self.day)])
    _ = await keep()
    try write([("c", 3 * Self.day)], name: "=1+1,\"x\"\n| `é", differing: ["c"])
    _ = await keep()
    #expect(await csv("--by", "revision") == ["revision,\(header)", "7,3,3,1,0,0,0,3,1"])
    #expect(await csv("--since", "2026-10-02", "--until", "2026-10-03").count == 2)
    #expect(await csv("--revision", "8") == ["date,revisions,\(header)"])
    let events = await dualsend("parity", "--trend", kept, "--by", "event", "--format", "csv").terminal.results
    #expect(events.contains("\"'=1+1,\"\"x\"\"\n| `é\",7,1,1,1"), "quoted, and no formula")
    let markdown = await dualsend("parity", "--trend", kept, "--by", "all", "--format", "markdown").terminal.results
    #expect(markdown.split(separator: "\n").count == 5, "a name cannot end a row")
    let json = await dualsend("parity", "--trend", kept, "--event", "tap", "--format", "json").terminal.results
    guard case .object(let members) = try JSONReader().value(Array(json.utf8)),
      case .array(let rows)? = members["rows"], case .object(let last)? = rows.last
    else { throw CommandError("no rows in \(json)") }
    #expect(rows.count == 2)
    #expect(last["date"] == "2026-10-02")
    #expect(last["revisions"] == [7])
  }

  @Test("the oldest days go, and events without a time are in no day")
  func limits() async throws {
    try write((0...Int64(ParityDays.maximumDays)).map { ("e\($0)", $0 * Self.day) })
    let words = await keep().terminal.diagnostics
    #expect(words.contains("is reached; gone: 2026-10-01"))
    #expect(await csv().count == 1 + ParityDays.maximumDays)
    try folder.write("old.jsonl", #"{"eventId":"x","name":"tap","parameters":{}}"#)
    try folder.write("new.jsonl", "")
    #expect(await keep().terminal.diagnostics.contains("1 event without a time, or with one of 1970, are in no day"))
  }

  @Test(
    "refuses a file that holds something else, and changes nothing",
    arguments: [
      #"{"old":"log"}"#, "{", #"{"date":"2026-02-30","event":"a","revision":1}"#,
      #"{"date":"2026-10-01","differing":0,"event":"a","events":-1,"failing":0,"judged":0,"lost":0,"pairs":0,"revision":1,"undecided":0,"unexpected":0}"#,
    ])
  func others(line: String) async throws {
    try write([("a", 1)])
    try folder.write("rollout.json.parity.jsonl", line + "\n")
    for run in [await keep(), await dualsend("parity", "--trend", kept)] {
      #expect(run.status == .couldNotRun)
      #expect(run.terminal.diagnostics.contains("\(kept):1 is not a line of kept parity"))
      #expect(run.terminal.results.isEmpty)
    }
    #expect(try folder.read("rollout.json.parity.jsonl") == line + "\n")
  }

  @Test("says what is wrong with a missing file, a date, and an order of dates")
  func mistakes() async throws {
    #expect(
      await dualsend("parity", "--trend", kept).terminal.diagnostics.contains(
        "a comparison with `--trend \(kept)` makes it")
    )
    #expect(
      await dualsend("parity", "--trend", kept, "--since", "2026-13-01").terminal.diagnostics.contains(
        "is not a date like 2026-01-31"))
    let turned = await dualsend("parity", "--trend", kept, "--since", "2026-02-01", "--until", "2026-01-01")
    #expect(turned.terminal.diagnostics.contains("--since is after --until"))
    for wrong in [
      ["--trend", kept, "--old", "a"], ["--trend", kept, "--format", "html"], ["--by", "day"], [],
      ["--trend", kept, "--by", "day", "--old", "a", "--new", "b", "--remap", "c"],
    ] {
      #expect(await DualSendCommand.run(["parity"] + wrong, on: RecordingTerminal().terminal) == .usage)
    }
    try write([("a", 1)])
    let nowhere = await dualsend(
      "parity", "--old", folder.path("old.jsonl"), "--new", folder.path("new.jsonl"), "--remap",
      folder.path("table.json"), "--trend", folder.path("no/such/folder.jsonl"))
    #expect(nowhere.status == .couldNotRun)
    #expect(nowhere.terminal.diagnostics.contains("correct the path or its permissions"))
  }

  @Test("comparisons at the same time lose no day of another")
  func together() async throws {
    let days = 8
    for day in 0..<days {
      try write([("a\(day)", Int64(day) * Self.day)])
      for side in ["old", "new"] { try folder.write("\(side)-\(day).jsonl", try folder.read("\(side).jsonl")) }
    }
    await withTaskGroup { group in
      for day in 0..<days {
        group.addTask {
          _ = await dualsend(
            "parity", "--old", folder.path("old-\(day).jsonl"), "--new", folder.path("new-\(day).jsonl"), "--remap",
            folder.path("table.json"), "--trend", kept)
        }
      }
    }
    #expect(await csv().count == 1 + days)
  }
}
