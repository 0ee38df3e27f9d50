import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendRollout
import DualSendTool
import Foundation
import Testing

@Suite("dualsend guard", .timeLimit(.minutes(5)))
struct GuardVerbTests {
  private let rehearsal: GuardRehearsal

  init() throws {
    rehearsal = try GuardRehearsal()
  }

  /// Ships and looks until the guard comes to a step.
  private func go(to percent: Int, from round: inout Int) async throws {
    while try rehearsal.share != percent, round < 40 {
      try rehearsal.ship(round)
      #expect(await rehearsal.look() == .clean, "\(rehearsal.recording.diagnostics)")
      round += 1
    }
    #expect(try rehearsal.share == percent)
  }

  @Test("takes the fixtures' journey from 5 % to 100 % by itself, and ends")
  func wholeJourney() async throws {
    var round = 0
    #expect(await rehearsal.look() == .clean)
    try await go(to: 100, from: &round)
    try rehearsal.ship(round)
    #expect(await rehearsal.look() == .clean)
    #expect(try rehearsal.decisions() == ["begin 5", "advance 25", "advance 50", "advance 100", "done 100"])
    #expect(try rehearsal.document.revision == 4)
    // Each publication once; without a publication, nothing.
    let record = PublicationRecord(besideDocument: rehearsal.folder.path("rollout.json"))
    let entries = try record.read(last: 10).entries
    let recorded = entries.dropFirst().map(\.publication)
    #expect(recorded.map(\.after.revision) == [2, 3, 4] && recorded.allSatisfy { $0.by == .guard && $0.plan != nil })
    #expect(entries.allSatisfy { $0.outcome == .published } && entries[0].publication.by == .added)
    #expect(await DualSendCommand.run(rehearsal.arguments, on: rehearsal.recording.terminal) == .clean)
  }

  @Test("takes a journey with a wrong row back to the step before, and goes no further until it is let")
  func wrongRow() async throws {
    var round = 0
    #expect(await rehearsal.look() == .clean)
    try await go(to: 25, from: &round)
    // 4 % of the events, and all of one: the bound of each event finds it first.
    try rehearsal.ship(round) { $0 == "home.like_button.tap" }
    #expect(await rehearsal.look() == .findings)
    #expect(try rehearsal.decisions() == ["begin 5", "advance 25", "back 5"])
    #expect(try rehearsal.share == 5 && rehearsal.document.revision == 3)
    #expect(rehearsal.recording.diagnostics.contains("error[DS1404]: the rollout is stopped: `home.like_button.tap`"))
    try rehearsal.ship(round + 1)
    #expect(await rehearsal.look() == .findings)
    #expect(try rehearsal.document.revision == 3)
    #expect(await rehearsal.look("--resume", "--yes") == .clean)
  }

  @Test("goes back also where a rule drains the old logger, as `dualsend kill` does")
  func drainingRule() async throws {
    _ = try rehearsal.folder.rollout(
      #"""
      "shouldSendLogToOldLogger": 100, "shouldSendLogToNewTracker": 25,
      "rules": [{"match": {"events": ["home.*"]}, "shouldSendLogToOldLogger": 80}]
      """#, salt: "tracker-2025")
    #expect(await rehearsal.look() == .clean)
    try rehearsal.ship(0) { _ in true }
    #expect(await rehearsal.look() == .findings)
    #expect(try rehearsal.decisions() == ["begin 25", "back 5"], "\(rehearsal.recording.diagnostics)")
    #expect(try rehearsal.share == 5 && rehearsal.document.revision == 2)
  }

  @Test("touches nothing if another changed the document, and nothing with --dry-run")
  func untouched() async throws {
    #expect(await rehearsal.look() == .clean)
    let state = try rehearsal.folder.read("rollout.json.guard-state")
    try rehearsal.ship(0) { _ in true }
    #expect(await rehearsal.look("--dry-run") == .clean)
    #expect(rehearsal.recording.results.contains("back  5 % → 0 %"))
    #expect(try rehearsal.folder.read("rollout.json.guard-state") == state)
    #expect(try rehearsal.document.revision == 1)
    let other = #""shouldSendLogToNewTracker": 7"#
    _ = try rehearsal.folder.rollout(other, revision: 9, salt: "tracker-2025")
    #expect(await rehearsal.look() == .findings)
    #expect(rehearsal.recording.diagnostics.contains("DS1405"))
    #expect(try rehearsal.document.revision == 9)
  }

  @Test("does not advance into a document that the console would refuse")
  func refusedStep() async throws {
    let rules = """
      "shouldSendLogToNewTracker": 5, "rules": [{"match": {"events": ["never.sent"]}, "shouldSendLogToOldLogger": 100}]
      """
    let document = try rehearsal.folder.rollout(rules, salt: "tracker-2025")
    #expect(await rehearsal.look() == .clean)
    for round in 0..<6 {
      try rehearsal.ship(round)
      if await rehearsal.look() == .findings { break }
    }
    #expect(rehearsal.recording.diagnostics.contains("`never.sent` would go to more units"))
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: document)) == Data(try rehearsal.folder.read("rollout.json").utf8))
    #expect(try rehearsal.document.revision == 1)
  }

  @Test("reads reports that others saved, those alone that are as old as the step")
  func savedReports() async throws {
    let parity = RecordingTerminal()
    try rehearsal.ship(0)
    let compare = [
      "parity", "--old", rehearsal.folder.path("old/0.jsonl"), "--new", rehearsal.folder.path("new/0.jsonl"), "--remap",
      LegacyFiles.folder.appendingPathComponent("legacy/remapping.json").path, "--rollout",
      rehearsal.folder.path("rollout.json"), "--format", "json",
    ]
    #expect(await DualSendCommand.run(compare, on: parity.terminal) == .clean)
    let look = [
      "guard", rehearsal.folder.path("rollout.json"), "--policy", rehearsal.folder.path("policy.json"), "--report",
      rehearsal.folder.path("reports"), "--once",
    ]
    try FileManager.default.createDirectory(
      atPath: rehearsal.folder.path("reports"), withIntermediateDirectories: true)
    #expect(await DualSendCommand.run(look, on: rehearsal.recording.terminal) == .clean)
    for number in 0..<8 { try rehearsal.folder.write("reports/\(number).json", parity.results) }
    #expect(await DualSendCommand.run(look, on: rehearsal.recording.terminal) == .clean)
    #expect(try rehearsal.decisions() == ["begin 5", "advance 25"])
    #expect(await DualSendCommand.run(look, on: rehearsal.recording.terminal) == .clean)
    #expect(try rehearsal.decisions() == ["begin 5", "advance 25"])
  }

  @Test("tells each decision but to wait to a command, once")
  func tells() async throws {
    let told = rehearsal.folder.path("told")
    let command = #", "tell": {"command": ["sh", "-c", "cat >> \#(told); echo >> \#(told)"]}}"#
    try rehearsal.folder.write(
      "policy.json",
      GuardRehearsal.policy.trimmingCharacters(in: .whitespacesAndNewlines).dropLast().description + command)
    #expect(await rehearsal.look() == .clean)
    #expect(await rehearsal.look() == .clean)
    let lines = try rehearsal.folder.read("told").split(separator: "\n")
    #expect(lines.count == 1 && lines[0].contains(#""action":"begin""#) && lines[0].contains(#""number":1"#))
  }

  @Test("removes a log line that was cut off, and does not begin anew beside the log without its state")
  func cutLog() async throws {
    #expect(await rehearsal.look() == .clean)
    let log = try rehearsal.folder.read("rollout.json.guard-log")
    try rehearsal.folder.write("rollout.json.guard-log", log + #"{"action":"adva"#)
    try FileManager.default.removeItem(atPath: rehearsal.folder.path("rollout.json.guard-state"))
    #expect(await rehearsal.look() == .findings)
    #expect(rehearsal.recording.diagnostics.contains("DS1409"))
    #expect(try rehearsal.folder.read("rollout.json.guard-log") == log)
    try rehearsal.folder.write("rollout.json.guard-log", "no decision\n")
    #expect(await rehearsal.look() == .couldNotRun && rehearsal.recording.diagnostics.contains("not a decision"))
    #expect(await rehearsal.look("--dry-run") == .couldNotRun)
    try rehearsal.folder.write("rollout.json.guard-log", log)
    #expect(await rehearsal.look("--dry-run") == .findings)
    #expect(await rehearsal.look("--resume", "--yes") == .clean)
    let later = try rehearsal.folder.read("rollout.json.guard-log")
    #expect(later.hasPrefix(log) && later.split(separator: "\n").count == 2)
  }

  @Test("processes that are killed at forty moments take the journey on all the same, each decision once")
  func killedProcesses() async throws {
    let command = rehearsal.arguments + ["--once"]
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try await ChildCommand(arguments: command).run(in: rehearsal.folder).status == 0)
    let whole = clock.now - start
    for kill in 0..<40 {
      if kill.isMultiple(of: 4) { try rehearsal.ship(kill / 4) }
      let moment = whole * (kill % 20) / 16
      let killed = ChildCommand(
        arguments: command,
        signal: (
          SIGKILL,
          // Another process: no virtual clock says how far it is.
          { try await Task.sleep(for: moment) }
        ))
      _ = try await killed.run(in: rehearsal.folder)
      // Never half a document.
      _ = try rehearsal.document
    }
    var round = 10
    try await go(to: 100, from: &round)
    #expect(await rehearsal.look() == .clean)
    let decisions = try rehearsal.decisions().filter { $0 != "done 100" }
    #expect(decisions == ["begin 5", "advance 25", "advance 50", "advance 100"])
    // A kill between the record's line and the file uses up a revision: the next attempt takes a higher one.
    let entries = try PublicationRecord(besideDocument: rehearsal.folder.path("rollout.json")).read(last: 50).entries
    let attempts = entries.filter { $0.publication.by == .guard }
    #expect(attempts.count { $0.outcome == .published } == 3)
    #expect(attempts.allSatisfy { $0.outcome == .published || $0.outcome == .refused("interrupted") })
    #expect(attempts.map(\.publication.after.revision) == (2..<(2 + attempts.count)).map { Int64($0) })
    #expect(try rehearsal.document.revision == Int64(1 + attempts.count))
  }

  @Test("a step back gives the old logger to the units that lose the new tracker")
  func oldLoggerFollows() async throws {
    _ = try rehearsal.folder.rollout(
      #""shouldSendLogToOldLogger": false, "shouldSendLogToNewTracker": true"#, salt: "tracker-2025")
    #expect(await rehearsal.look() == .clean)
    try rehearsal.ship(0) { _ in true }
    #expect(await rehearsal.look() == .findings)
    let text = try rehearsal.folder.read("rollout.json")
    #expect(text.contains(#""shouldSendLogToOldLogger": 50, "shouldSendLogToNewTracker": 50}"#), "\(text)")
  }
}
