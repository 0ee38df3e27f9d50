import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendRolloutAnalysis
import DualSendTool
import Foundation
import Testing

@testable import DualSendCommands

@Suite("dualsend parity, and the gate of dualsend plan", .timeLimit(.minutes(5)))
struct ParityVerbTests {
  private let folder: TemporaryFiles

  private static let id = "0190b6f2-7c3a-7f00-8000-00000000000"

  init() throws {
    folder = try TemporaryFiles()
    try folder.write(
      "table.json", #"{"formatVersion":1,"events":{"a":{"name":"b","parameters":{"id":"item_id","n":null}}}}"#)
    try folder.write("old.jsonl", (1...4).map { old($0) }.joined(separator: "\n"))
    try folder.write("new.jsonl", (1...4).map { new($0, item: $0) }.joined(separator: "\n"))
  }

  private func old(_ number: Int) -> String {
    #"{"eventId":"\#(Self.id)\#(number)","name":"a","parameters":{"id":\#(number),"n":1},"time":\#(number)}"#
  }

  private func new(_ number: Int, item: Int) -> String {
    #"{"eventId":"\#(Self.id)\#(number)","eventName":"b","eventTime":\#(number),"payload":{"item_id":\#(item)}}"#
  }

  private func parity(_ more: String...) async -> (CommandStatus, RecordingTerminal) {
    await parity(more)
  }

  private func parity(_ more: [String]) async -> (CommandStatus, RecordingTerminal) {
    let terminal = RecordingTerminal()
    let arguments = [
      "parity", "--old", folder.path("old.jsonl"), "--new", folder.path("new.jsonl"), "--remap",
      folder.path("table.json"),
    ]
    return (await DualSendCommand.run(arguments + more, on: terminal.terminal), terminal)
  }

  @Test("is clean when the streams say the same")
  func same() async {
    let (status, terminal) = await parity()
    #expect(status == .clean)
    #expect(terminal.results.contains("a → b"))
  }

  @Test("writes who was affected, names the files by their hashes, and reads a stream from standard input")
  func whoAndWhat() async throws {
    try folder.write("new.jsonl", (1...3).map { new($0, item: $0) }.joined(separator: "\n"))
    let (status, terminal) = await parity("--units", folder.path("affected.csv"), "--hashes")
    #expect(status == .findings)
    #expect(
      try folder.read("affected.csv")
        == "unit,event,failure,events,first,last\r\n,a,lost from the new stream,1,1970-01-01T00:00:00.004Z,1970-01-01T00:00:00.004Z\r\n"
    )
    let hash = DocumentHash.text(of: Array(try folder.read("new.jsonl").utf8))
    #expect(terminal.results.contains("SHA-256 of \(folder.path("new.jsonl")): \(hash)\n"))
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data(try folder.read("new.jsonl").utf8))
    try pipe.fileHandleForWriting.close()
    let piped = RecordingTerminal(input: pipe.fileHandleForReading)
    let arguments = ["--old", folder.path("old.jsonl"), "--new", "-", "--remap", folder.path("table.json")]
    _ = await DualSendCommand.run(["parity"] + arguments, on: piped.terminal)
    #expect(piped.results.contains("  a  1 lost from the new stream\n"))
    for wrong in [["--hashes"], ["--old", "-"]] {
      #expect(await DualSendCommand.run(["parity"] + arguments + wrong, on: RecordingTerminal().terminal) == .usage)
    }
    #expect(await parity("--units", folder.path("none/affected.csv")).0 == .couldNotRun)
  }

  @Test("says that ids do not join where one stream writes them with capitals, and where the id is looked for")
  func capitals() async throws {
    try folder.write(
      "old.jsonl", (1...4).map { old($0).replacing(Self.id, with: Self.id.uppercased()) }.joined(separator: "\n"))
    let (status, terminal) = await parity()
    #expect(status == .findings)
    #expect(terminal.diagnostics.contains("and `0190B6F2-7C3A-7F00-8000-000000000001` has upper-case letters"))
    #expect(terminal.diagnostics.contains("help: no id of one stream is in the other: --id-key names"))
    #expect(terminal.results.contains("old: 4 lines"))
    try folder.write("old.jsonl", old(1))
    #expect(await parity().1.results.contains("old: 1 line\n"))
    for verb in ["parity", "console"] {
      let help = RecordingTerminal()
      #expect(await DualSendCommand.run([verb, "--help"], on: help.terminal) == .clean)
      let words = help.results.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("carries its id (default: `eventId` beside `name`)."))
    }
  }

  @Test("reads the requests of another collector's format")
  func otherFormat() async throws {
    let events = (1...4).map {
      #"{"specversion":"1.0","id":"\#(Self.id)\#($0)","source":"s","type":"b","data":{"item_id":\#($0)}}"#
    }
    try folder.write("new.jsonl", "[\(events[0]),\(events[1])]\n[\(events[2]),\(events[3])]")
    #expect(await parity("--new-format", "cloudevents").0 == .clean)
    try folder.write("new.jsonl", "[\(events[0])]\n" + #"[{"specversion":"1.0","id":"x","source":"s"}]"#)
    let (status, terminal) = await parity("--new-format", "cloudevents")
    #expect(status == .findings)
    #expect(terminal.diagnostics.contains("error[DS0703]: 1 of 2 lines cannot be read as events"))
    #expect(terminal.diagnostics.contains("line 2: [0].type is missing"))
    try folder.write("old.jsonl", old(1))
    #expect(await parity("--new-format", "cloudevents", "--max-malformed", "1").0 == .clean)
  }

  @Test("says that a folder is none of the streams")
  func folderAsStream() async throws {
    let terminal = RecordingTerminal()
    let folder = folder.folder.path
    let arguments = ["parity", "--old", folder, "--new", folder, "--remap", folder + "/table.json"]
    #expect(await DualSendCommand.run(arguments, on: terminal.terminal) == .couldNotRun)
    #expect(terminal.diagnostics.contains("is a folder"))
  }

  @Test("says that decisions cannot be read, and judges their events as if they carried none")
  func unreadableDecision() async throws {
    let lines = [#""decision":"12:bith","#, #""decision":null,"#, #""decision":"12:both","#].enumerated().map {
      old($0.offset + 1).replacing("{\"eventId", with: "{" + $0.element + "\"eventId")
    }
    try folder.write("old.jsonl", lines.joined(separator: "\n"))
    let (_, terminal) = await parity()
    #expect(terminal.diagnostics.contains("1 line with a decision that is none"), "\(terminal.diagnostics)")
    #expect(terminal.diagnostics.contains("old.jsonl:1:1"))
  }

  @Test(
    "says which unit the times seem to have",
    arguments: [(1_790_000_000, "seconds"), (1_790_000_000_000_000, "microseconds")])
  func units(time: Int, unit: String) async throws {
    let lines = (1...4).map { old($0).replacing("\"time\":\($0)", with: "\"time\":\(time + $0)") }
    try folder.write("old.jsonl", lines.joined(separator: "\n"))
    let (status, terminal) = await parity()
    #expect(status == .clean)
    #expect(terminal.diagnostics.contains("warning[DS0709]: the times look like \(unit)"))
    #expect(terminal.diagnostics.contains("jq -c '.time |= (. "))
    #expect(!terminal.diagnostics.contains("eventTime"))
  }

  @Test(
    "lets no gate pass on an id with two contents, in whatever order; the same line again is a repetition",
    arguments: [true, false])
  func conflict(otherFirst: Bool) async throws {
    let lines = (1...4).map { new($0, item: $0) }
    try folder.write("new.jsonl", (lines + [lines[0]]).joined(separator: "\n"))
    #expect(await parity().0 == .clean)
    let other = new(1, item: 9)
    try folder.write("new.jsonl", (otherFirst ? [other] + lines : lines + [other]).joined(separator: "\n"))
    let (status, terminal) = await parity("--max-failing", "99%")
    #expect(status == .findings)
    #expect(terminal.diagnostics.contains("error[DS0708]: `a`: 1 repeated line with another name or payload"))
    #expect(terminal.diagnostics.contains(Self.id + "1"))
    try folder.write("new.jsonl", lines.joined(separator: "\n"))
    let older = (1...4).map { old($0) }
    try folder.write("old.jsonl", (older + [older[2].replacing("\"n\":1", with: "\"n\":2")]).joined(separator: "\n"))
    #expect(await parity("--max-failing", "99%").1.diagnostics.contains("error[DS0708]"))
  }

  @Test("finds a changed value, and lets it pass within the limit")
  func mismatch() async throws {
    try folder.write("new.jsonl", (1...4).map { new($0, item: min($0, 3)) }.joined(separator: "\n"))
    let (status, terminal) = await parity()
    #expect(status == .findings)
    #expect(terminal.results.contains("item_id"))
    // 1 of 4 is what was seen; the true share may be up to 75.14 %.
    #expect(await parity("--max-failing", "75.2%", "--count-events").0 == .clean)
    #expect(await parity("--max-failing", "75.1%", "--count-events").0 == .findings)
    #expect(await parity("--ignore", "item_id").0 == .clean)
  }

  @Test("one event that arrived of 6,000 is no parity, whatever the share that may fail")
  func loss() async throws {
    try folder.write("old.jsonl", (1...6_000).map(old).joined(separator: "\n"))
    try folder.write("new.jsonl", new(1, item: 1))
    for limit in [[], ["--max-failing", "0.1%"], ["--max-failing", "99%"]] {
      let (status, terminal) = await parity(limit)
      #expect(status == .findings)
      #expect(terminal.diagnostics.contains("`a`: 5,999 of 6,000 events are lost (99.9833%)"))
      #expect(terminal.diagnostics.contains("= note: 5,999 lost from the new stream"))
    }
    #expect(await parity("--allow-one-sided", "old").0 == .clean)
    #expect(await parity("--allow-one-sided", "new").0 == .findings)
  }

  @Test("the reverse is no parity either: events that the old stream lacks")
  func lossFromOld() async throws {
    try folder.write("old.jsonl", old(1))
    let (status, terminal) = await parity()
    #expect(status == .findings)
    #expect(terminal.diagnostics.contains("3 lost from the old stream"))
  }

  @Test("broken lines are no parity, unless so many are allowed")
  func brokenLines() async throws {
    let broken = Array(repeating: "{", count: 5_999)
    try folder.write("old.jsonl", ([old(1)] + broken).joined(separator: "\n"))
    try folder.write("new.jsonl", ([new(1, item: 1)] + broken).joined(separator: "\n"))
    let (status, terminal) = await parity("--max-failing", "0%")
    #expect(status == .findings)
    #expect(terminal.diagnostics.contains("error[DS0703]: 5,999 of 6,000 lines cannot be read as events\n"))
    #expect(terminal.diagnostics.contains("old.jsonl:2:1\n"))
    #expect(await parity("--max-malformed", "11998").0 == .clean)
    #expect(await parity("--max-malformed", "11997").0 == .findings)
  }

  @Test("too few pairs are not enough evidence")
  func evidence() async {
    let (status, terminal) = await parity("--max-failing", "0.1%")
    #expect(status == .findings)
    #expect(
      terminal.diagnostics.contains("error[DS0702]: `a`: not enough evidence: 4 pairs, at least 2,995 for 0.1 %\n"))
  }

  @Test("a rollout document tells loss from what belongs in one stream only, in every form of the report")
  func rollout() async throws {
    let document = try folder.rollout(
      #""rules": [{"match": {"unitIDs": ["u"]}, "shouldSendLogToNewTracker": 100}]"#)
    func old(_ number: Int, unit: String) -> String {
      self.old(number).replacingOccurrences(of: #""name""#, with: #""unitID":"\#(unit)","name""#)
    }
    try folder.write("old.jsonl", [old(1, unit: "u"), old(2, unit: "v")].joined(separator: "\n"))
    try folder.write("new.jsonl", new(1, item: 1))
    #expect(await parity("--rollout", document).0 == .clean)

    try folder.write("old.jsonl", [old(1, unit: "v"), old(2, unit: "u")].joined(separator: "\n"))
    let (status, terminal) = await parity("--rollout", document)
    #expect(status == .findings)
    #expect(terminal.diagnostics.contains("2 of 2 events are lost or unexpected (100.0000%)"))
    #expect(terminal.results.contains("a  1 lost from the new stream, 1 unexpected in the new stream\n"))
    for (form, words) in [
      ("json", #""lostFromNew":1"#), ("json", #""unexpectedInNew":1"#), ("json", #""passes":false"#),
      ("markdown", "- 1 lost from the new stream, 1 unexpected in the new stream; for example"),
      ("html", "1 lost, 1 unexpected"),
    ] {
      #expect(await parity("--rollout", document, "--format", form).1.results.contains(words))
    }
  }

  @Test("silence is no parity: nothing compared is a finding")
  func nothingCompared() async throws {
    try folder.write("new.jsonl", "")
    #expect(await parity().0 == .findings)
  }

  @Test("takes off the noise that old against old has")
  func calibration() async throws {
    try folder.write("new.jsonl", (1...4).map { new($0, item: min($0, 3)) }.joined(separator: "\n"))
    let again = (1...4).map { old($0).replacingOccurrences(of: #""id":4"#, with: #""id":9"#) }
    try folder.write("again.jsonl", again.joined(separator: "\n"))
    #expect(await parity("--calibrate", folder.path("again.jsonl")).0 == .clean)
  }

  @Test(
    "refuses what makes no sense",
    arguments: [
      ["--max-failing", "200%"], ["--ignore", "a..b"], ["--window", "5"], ["--format", "pdf"], ["--looks", "0"],
      ["--platform", "iOS"], ["--rollout", "r", "--allow-one-sided", "old"],
      ["--rollout", "r", "--attribute-key", "country"], ["--max-malformed", "-1"],
    ])
  func wrongArguments(arguments: [String]) async {
    let terminal = RecordingTerminal()
    let all = ["parity", "--old", "a", "--new", "b", "--remap", "c"] + arguments
    #expect(await DualSendCommand.run(all, on: terminal.terminal) == .usage)
  }

  @Test("names the file that is not there")
  func missingFile() async {
    let terminal = RecordingTerminal()
    let arguments = ["parity", "--old", "nowhere", "--new", "nowhere", "--remap", folder.path("table.json")]
    #expect(await DualSendCommand.run(arguments, on: terminal.terminal) == .couldNotRun)
    #expect(terminal.diagnostics.contains("nowhere"))
  }

  private func plan(
    from old: Int, to new: Int, report: String, _ more: String...
  ) async throws -> (CommandStatus, RecordingTerminal) {
    for (name, share, revision) in [("before.json", old, 1), ("after.json", new, 2)] {
      try folder.write(
        name,
        #"{"formatVersion":1,"revision":\#(revision),"salt":"s","shouldSendLogToNewTracker":\#(share),"#
          + #""rules":[{"match":{"events":["fixed.*"]},"shouldSendLogToNewTracker":1}]}"#)
    }
    try folder.write("report.json", report)
    let terminal = RecordingTerminal()
    let arguments = [
      "plan", folder.path("before.json"), folder.path("after.json"), "--parity", folder.path("report.json"),
    ]
    return (await DualSendCommand.run(arguments + more, on: terminal.terminal), terminal)
  }

  @Test("a plan may raise new for an event whose parity is good enough, and not for one whose parity is worse")
  func gate() async throws {
    try folder.write("new.jsonl", (1...4).map { new($0, item: min($0, 3)) }.joined(separator: "\n"))
    let report = await parity("--format", "json").1.results
    #expect(try await plan(from: 5, to: 25, report: report, "--max-failing", "80%", "--count-events").0 == .clean)
    #expect(try await plan(from: 5, to: 25, report: report, "--max-failing", "80%").0 == .findings)
    let (status, terminal) = try await plan(from: 5, to: 25, report: report, "--max-failing", "1%")
    #expect(status == .findings)
    #expect(
      terminal.diagnostics.contains(
        "error[DS0407]: `a` would go to more units of the new tracker, but 1 of 4 pairs differ (25.0000%)\n"))
  }

  @Test("a plan may not raise a named sink of the new side for an event whose parity is worse")
  func gateOnSinks() async throws {
    try folder.write("new.jsonl", (1...4).map { new($0, item: min($0, 3)) }.joined(separator: "\n"))
    try folder.write("report.json", await parity("--format", "json").1.results)
    for (name, share, revision) in [("before.json", 0, 1), ("after.json", 100, 2)] {
      try folder.write(
        name,
        #"{"formatVersion":2,"revision":\#(revision),"salt":"s","shouldSendLogToNewTracker":100,"#
          + #""sinks":{"new":{"amp":\#(share)}}}"#)
    }
    let terminal = RecordingTerminal()
    let arguments = ["--parity", folder.path("report.json"), "--max-failing", "1%"]
    let documents = [folder.path("before.json"), folder.path("after.json")]
    #expect(await DualSendCommand.run(["plan"] + documents + arguments, on: terminal.terminal) == .findings)
    #expect(
      terminal.diagnostics.contains(
        "error[DS0407]: `a` would go to more units of the sink `amp`, but 1 of 4 pairs differ (25.0000%)\n"))
    let back = RecordingTerminal()
    let status = await DualSendCommand.run(
      ["plan", "--allow-evictions", "--allow-older"] + documents.reversed() + arguments, on: back.terminal)
    #expect(status == .clean)
  }

  @Test("a plan may not raise new by one pair of each of 45 events, 5,955 of which are lost")
  func gateOnLoss() async throws {
    func named(_ line: String, _ number: Int) -> String {
      line.replacingOccurrences(of: #":"a""#, with: ":\"event.\(number % 45)\"")
        .replacingOccurrences(of: #":"b""#, with: ":\"event.\(number % 45)\"")
    }
    try folder.write("table.json", #"{"formatVersion":1,"events":{"*":{"parameters":{"id":"item_id","n":null}}}}"#)
    try folder.write("old.jsonl", (1...6_000).map { named(old($0), $0) }.joined(separator: "\n"))
    try folder.write("new.jsonl", (1...45).map { named(new($0, item: $0), $0) }.joined(separator: "\n"))
    let report = await parity("--format", "json").1.results
    for limit in [[], ["--max-failing", "0%"], ["--max-failing", "90%"]] {
      let (status, terminal) =
        limit.isEmpty
        ? try await plan(from: 5, to: 25, report: report)
        : try await plan(from: 5, to: 25, report: report, limit[0], limit[1])
      #expect(status == .findings)
      #expect(terminal.diagnostics.ranges(of: "event.").count >= 45)
      #expect(terminal.diagnostics.contains("= and 44 more:"))
      #expect(terminal.diagnostics.contains("132 of 133 events are lost (99.2481%)"))
    }
    let vouched = await parity("--format", "json", "--allow-one-sided", "old").1.results
    let (status, terminal) = try await plan(from: 5, to: 25, report: vouched)
    #expect(status == .findings)
    #expect(terminal.diagnostics.contains("there is not enough evidence: 1 pair, at least 2,995 for 0.1 %"))
    #expect(terminal.diagnostics.contains("warning[DS0705]: loss was not judged"))
    #expect(try await plan(from: 5, to: 25, report: vouched, "--max-failing", "0%").0 == .clean)
  }

  @Test("a plan that raises new is refused by a report with broken lines, or without any event that it raises")
  func gateOnSilence() async throws {
    let clean = await parity("--format", "json").1.results
    let broken = clean.replacingOccurrences(of: #""malformed":0"#, with: #""malformed":7"#)
    let (status, terminal) = try await plan(from: 5, to: 25, report: broken, "--max-failing", "0%")
    #expect(status == .findings)
    #expect(terminal.diagnostics.contains("error[DS0703]: 14 of the compared lines could not be read as events"))
    #expect(
      try await plan(from: 5, to: 25, report: broken, "--max-failing", "0%", "--max-malformed", "14").0 == .clean)
    #expect(try await plan(from: 5, to: 5, report: broken, "--max-failing", "0%").0 == .clean)

    try folder.write("old.jsonl", "")
    try folder.write("new.jsonl", "")
    let empty = await parity("--format", "json").1.results
    let (silence, recording) = try await plan(from: 5, to: 25, report: empty, "--max-failing", "0%")
    #expect(silence == .findings)
    #expect(recording.diagnostics.contains("error[DS0407]: `*` would go to more units of the new tracker, but"))
  }

  @Test("a plan warns of a report that another revision than the one in force was the measure of")
  func measuredElsewhere() async throws {
    for revision in [1, 7] {
      let document = try folder.rollout(#""shouldSendLogToNewTracker": 100"#, revision: revision)
      let report = await parity("--rollout", document, "--format", "json").1.results
      let (status, terminal) = try await plan(from: 5, to: 25, report: report, "--max-failing", "0%")
      #expect(status == .clean)
      let warns = terminal.diagnostics.contains("warning[DS0706]: the report was not made with revision 1")
      #expect(warns == (revision == 7))
    }
  }

  @Test("the gate leaves events alone that the plan does not raise")
  func gateElsewhere() async throws {
    try folder.write("table.json", #"{"formatVersion":1,"events":{"fixed.a":{"name":"fixed.b"},"a":{"name":"b"}}}"#)
    let fixed = (5...8).map { old($0).replacingOccurrences(of: #""name":"a""#, with: #""name":"fixed.a""#) }
    try folder.write(
      "old.jsonl",
      ((1...4).map { old($0).replacingOccurrences(of: #""id":\#($0),"n":1"#, with: "") } + fixed)
        .joined(separator: "\n"))
    try folder.write(
      "new.jsonl",
      (1...4).map { new($0, item: $0).replacingOccurrences(of: #""item_id":\#($0)"#, with: "") }
        .joined(separator: "\n"))
    let (status, terminal) = await parity("--format", "json")
    #expect(status == .findings)
    #expect(try await plan(from: 5, to: 25, report: terminal.results, "--max-failing", "0%").0 == .clean)
  }
}
