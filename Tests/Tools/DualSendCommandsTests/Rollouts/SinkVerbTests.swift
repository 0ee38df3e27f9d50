import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendCore
import DualSendTool
import Testing

@Suite("A rollout document that names sinks", .timeLimit(.minutes(5)))
struct SinkVerbTests {
  private let recording = RecordingTerminal()
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private func file(_ members: String, named name: String = "rollout.json", revision: Int = 1) throws -> String {
    try folder.file(name, #"{"formatVersion": 2, "revision": \#(revision), "salt": "test", \#(members)}"#)
  }

  private func run(_ arguments: String...) async -> CommandStatus {
    await DualSendCommand.run(arguments, on: recording.terminal)
  }

  private let sinks = #"""
    "shouldSendLogToNewTracker": 50, "sinks": {"new": {"amplitude": 20, "file": 100}, "old": {"console": 10}},
    "rules": [{"name": "home", "match": {"events": ["home.*"], "platform": ["iOS"]},
      "sinks": {"new": {"amplitude": 40}}}]
    """#

  @Test("is listed by validate with its sinks and whom they receive")
  func validate() async throws {
    let file = try file(sinks)
    #expect(await run("validate", file) == .clean)
    #expect(
      recording.results == """
        \(file) names 3 sinks:
        sink       side  top level  units that it receives
        ─────────  ────  ─────────  ──────────────────────────────────
        console    old   10 %       10 %
        amplitude  new   20 %       20 % to 40 %, by event and context
        file       new   100 %      50 %
        1 document: 0 errors, 0 warnings

        """)
    #expect(recording.diagnostics.isEmpty)
  }

  @Test("is listed by validate as JSON, and one without sinks says nothing of them")
  func validateJSON() async throws {
    #expect(await run("validate", try file(sinks), "--format", "json") == .clean)
    #expect(
      recording.results.contains(
        #"{"highest":40,"lowest":20,"schedule":[],"side":"new","sink":"amplitude","topLevel":20}"#))
    let bare = RecordingTerminal()
    let status = await DualSendCommand.run(
      ["validate", try file(#""sinks": {}"#), "--format", "json"], on: bare.terminal)
    #expect(status == .clean)
    #expect(!bare.results.contains("sinks"))
  }

  @Test("is listed by validate with what its sinks receive at each step of a schedule")
  func scheduled() async throws {
    let share = #"{"schedule": [{"from": "2026-01-01T00:00:00Z", "percentage": 25}]}"#
    let file = try file(#""shouldSendLogToNewTracker": \#(share), "sinks": {"new": {"amp": 40}}"#)
    #expect(await run("validate", file) == .clean)
    #expect(recording.results.contains("40 %       0 % before any schedule; 25 % from 2026-01-01T00:00:00.000Z on\n"))
    #expect(await run("validate", file, "--format", "json") == .clean)
    #expect(
      recording.results.contains(#""schedule":[{"from":"2026-01-01T00:00:00.000Z","highest":25,"lowest":25}]"#))
  }

  @Test("is explained sink by sink, with the rule that narrows it")
  func explain() async throws {
    #expect(await run("explain", try file(sinks), "--event", "home.tap", "--unit", "u", "--platform", "iOS") == .clean)
    #expect(
      recording.results.hasSuffix(
        """
        #  rule       matches    old   new  decides
        ─  ─────────  ───────  ─────  ────  ───────────────────────
        1  home       yes                   amplitude
           top level  yes      100 %  50 %  old, new, console, file

        shouldSendLogToOldLogger is on: the top level sets 100 %, which asks for bucket >= 0, and the bucket is 42301
        shouldSendLogToNewTracker is on: the top level sets 50 %, which asks for bucket < 50000, and the bucket is 42301
        so the event goes to: the old logger and the new tracker
        of all units that the same rules decide: old only 50 %, both 50 %
        sinks.old.console is off: the top level sets 10 %, which asks for bucket >= 90000, and the bucket is 42301; of all \
        units that the same rules decide: 10 %
        sinks.new.amplitude is off: rule 1 "home" sets 40 %, which asks for bucket < 40000, and the bucket is 42301; of all \
        units that the same rules decide: 40 %
        sinks.new.file is on: the top level sets 100 %, so it follows shouldSendLogToNewTracker; of all units that the same \
        rules decide: 50 %

        """))
  }

  @Test("is explained as JSON")
  func explainJSON() async throws {
    let arguments = ["--event", "home.tap", "--unit", "u", "--platform", "iOS", "--format", "json"]
    #expect(await DualSendCommand.run(["explain", try file(sinks)] + arguments, on: recording.terminal) == .clean)
    #expect(recording.results.contains(#""decidesSinks":["amplitude"]"#))
    #expect(
      recording.results.contains(
        #""expectation":40,"isOn":false,"percentage":40,"side":"new","sink":"amplitude","threshold":"bucket < 40000""#))
  }

  @Test("is simulated sink by sink, beside the exact expectation", arguments: ["text", "github", "json"])
  func simulate(format: String) async throws {
    let events = [
      #"{"name": "home.tap", "unitID": "u", "platform": "iOS"}"#, #"{"name": "home.tap", "unitID": "unit-29"}"#,
      #"{"name": "shop"}"#,
    ]
    let lines = try folder.file("events.jsonl", events.map { $0 + "\n" }.joined())
    #expect(await run("simulate", try file(sinks), "--events", lines, "--format", format) == .clean)
    if format == "json" {
      #expect(recording.results.contains(#"{"counted":0,"expected":0.6,"side":"new","sink":"amplitude"}"#))
    } else {
      #expect(
        recording.results.hasSuffix(
          """

          sink       side  events  counted  expected
          ─────────  ────  ──────  ───────  ────────
          console    old        0   0.00 %    6.67 %
          amplitude  new        0   0.00 %   20.00 %
          file       new        2  66.67 %   33.33 %

          """))
    }
  }

  @Test("is planned sink by sink, with who gains and who loses it, and a unit that does")
  func plan() async throws {
    let before = try file(#""shouldSendLogToNewTracker": 50, "sinks": {"new": {"a": 20}}"#, named: "old.json")
    let after = try file(
      #""shouldSendLogToNewTracker": 50, "sinks": {"new": {"a": 30}, "old": {"b": 40}}"#, named: "new.json", revision: 2
    )
    #expect(await run("plan", before, after) == .clean)
    #expect(
      recording.results.hasSuffix(
        """
        (revision 2)

        nothing changes for old and new

        - b (old): * (all events without a closer pattern)
            old stays 100 %, b not named → 40 %: its units 100 % → 40 %
              set by the top level
            -  60 %        lose b  e.g. `unit-0`
            -  no unit ID  lose b

        + a (new): * (all events without a closer pattern)
            new stays 50 %, a 20 % → 30 %: its units 20 % → 30 %
              set by the top level
            +  10 %  gain a  e.g. `unit-18`

        Plan: 0 groups of events change; moves: 0 to gain a sink (+), 0 to lose one (-), 0 to swap (~); no unit is evicted \
        from new, no unit is left without a sink; 2 named sinks: 1 to gain one (+), 2 to lose one (-), no unit is evicted \
        from one

        """))
  }

  @Test("is planned with the shares that its schedules have by now")
  func planScheduled() async throws {
    func document(_ share: Int, _ name: String, revision: Int) throws -> String {
      let schedule = #"{"schedule": [{"from": "2026-01-01T00:00:00Z", "percentage": \#(share)}]}"#
      return try file(
        #""shouldSendLogToNewTracker": 50, "sinks": {"new": {"amp": \#(schedule)}}"#, named: name, revision: revision)
    }
    let documents = [try document(20, "old.json", revision: 1), try document(25, "new.json", revision: 2)]
    let arguments = ["plan"] + documents + ["--at", "2026-06-01T00:00:00Z"]
    #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .clean)
    #expect(recording.results.contains("new stays 50 %, amp 20 % → 25 %: its units 20 % → 25 %"))
  }

  @Test("ends plan with 1 if somebody is evicted from a sink of the new side, unless that is allowed")
  func eviction() async throws {
    let before = try file(#""shouldSendLogToNewTracker": 50, "sinks": {"new": {"a": 20}}"#, named: "old.json")
    let after = try file(
      #""shouldSendLogToNewTracker": 50, "sinks": {"new": {"a": 5}}"#, named: "new.json", revision: 2)
    #expect(await run("plan", before, after) == .findings)
    #expect(recording.results.contains("-  15 %  EVICTED from a  e.g. `unit-"))
    #expect(recording.results.contains("UNITS ARE EVICTED FROM a\n"))
    #expect(recording.diagnostics.contains("error[DS0404]: units that have the sink `a` would lose it"))
    #expect(await run("plan", before, after, "--allow-evictions") == .clean)
  }

  @Test("is planned as JSON with every sink, and one without sinks says nothing of them")
  func planJSON() async throws {
    let bare = try file(#""shouldSendLogToNewTracker": 50"#, named: "old.json")
    let after = try file(
      #""shouldSendLogToNewTracker": 50, "sinks": {"new": {"a": 5}}"#, named: "new.json", revision: 2)
    _ = await run("plan", bare, after, "--format", "json")
    #expect(recording.results.contains(#""evictingSinks":["a"]"#))
    #expect(recording.results.contains(#""loses":{"example":{"unitID":"unit-"#))
    let without = RecordingTerminal()
    let status = await DualSendCommand.run(
      ["plan", bare, try file("\"rules\": []", named: "b.json", revision: 2), "--format", "json"], on: without.terminal)
    #expect(status == .findings)
    #expect(!without.results.contains("sinks") && !without.results.contains("Sinks"))
  }

  @Test("is rolled back to, and each later step of its schedules is planned")
  func rollback() async throws {
    let schedule = #"{"schedule": [{"from": "2027-01-01T00:00:00Z", "percentage": 5}]}"#
    let older = try file(
      #""shouldSendLogToNewTracker": 50, "sinks": {"new": {"a": \#(schedule)}}"#, named: "older.json")
    let current = try file(#""shouldSendLogToNewTracker": 50"#, named: "current.json", revision: 2)
    #expect(await run("rollback", current, "--to", older, "--at", "2026-12-01T00:00:00Z") == .clean)
    #expect(recording.results.contains(#""revision": 3"#))
    #expect(recording.diagnostics.contains("from 2027-01-01T00:00:00.000Z on, by schedule:"))
    #expect(recording.diagnostics.contains("-  45 %  EVICTED from a"))
  }

  @Test("prints ids that are none escaped, in every form", arguments: ["text", "github", "json"])
  func hostile(format: String) async throws {
    let file = try file(##""sinks": {"new": {"\u001b[31m\u202e\n::error::x": 5}}"##)
    #expect(await run("validate", file, "--format", format) == .findings)
    for text in [recording.results, recording.diagnostics] {
      #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
      #expect(!text.contains("\n::error::x"))
    }
  }

  @Test("has the times of its sinks' schedules looked at")
  func lint() async throws {
    let share = #"{"schedule": [{"from": "2026-01-01T00:00:60Z", "percentage": 5}]}"#
    let file = try file(
      #""sinks": {"new": {"a": \#(share)}}, "rules": [{"match": {"events": ["e"]}, "sinks": {"new": {"a": \#(share)}}}]"#
    )
    #expect(await run("validate", file, "--format", "json") == .clean)
    #expect(recording.results.contains(#""path":"sinks.new.a.schedule[0].from""#))
    #expect(recording.results.contains(#""path":"rules[0].sinks.new.a.schedule[0].from""#))
  }
}
