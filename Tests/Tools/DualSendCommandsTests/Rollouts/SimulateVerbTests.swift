import DualSendCommandLine
import DualSendCommandTesting
import DualSendRollout
import DualSendTool
import Testing

@testable import DualSendCommands

@Suite("dualsend simulate", .timeLimit(.minutes(5)))
struct SimulateVerbTests {
  private let recording = RecordingTerminal()
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private func run(_ document: String, _ events: [String], _ arguments: String...) async throws -> CommandStatus {
    let rollout = try folder.rollout(document)
    let lines = try folder.file("events.jsonl", events.map { $0 + "\n" }.joined())
    return await DualSendCommand.run(["simulate", rollout, "--events", lines] + arguments, on: recording.terminal)
  }

  @Test("counts what events would have done beside the exact expectation")
  func counts() async throws {
    let events = (3...6).map { #"{"name": "tap", "unitID": "unit-\#($0)"}"# } + [#"{"name": "view"}"#]
    let status = try await run(#""shouldSendLogToNewTracker": 40"#, events)
    #expect(status == .clean)
    #expect(
      recording.results == """
        event  seen  old only  both   to new  expected  ░ old only ▒ both
        ─────  ────  ────────  ────  ───────  ────────  ────────────────────────
        tap       4         3     1  25.00 %   40.00 %  ░░░░░░░░░░░░░░░░░░▒▒▒▒▒▒
        view      1         1     0   0.00 %    0.00 %  ░░░░░░░░░░░░░░░░░░░░░░░░
        ─────  ────  ────────  ────  ───────  ────────  ────────────────────────
        total     5         4     1  20.00 %   32.00 %  ░░░░░░░░░░░░░░░░░░░▒▒▒▒▒

        outcome   events  counted  expected
        ────────  ──────  ───────  ────────
        old only       4  80.00 %   68.00 %
        both           1  20.00 %   32.00 %
        new only       0   0.00 %    0.00 %
        neither        0   0.00 %    0.00 %

        """)
  }

  @Test("counts names apart that only Unicode calls equal")
  func exactNames() async throws {
    let events = ["\u{E9}", "e\u{301}", "e\u{301}"].map { #"{"name": "\#($0)"}"# }
    #expect(try await run("", events, "--format", "json") == .clean)
    let bytes = Array(recording.results.utf8)
    for (name, count) in [("\u{E9}", 1), ("e\u{301}", 2)] {
      #expect(bytes.contains(Array(#""name":"\#(name)""#.utf8)))
      #expect(bytes.contains(Array(#""seen":\#(count)}"#.utf8)))
    }
  }

  @Test("says how many events their apps decided otherwise, wherever the decision stands")
  func carriedDecisions() async throws {
    let events = [
      #"{"decision": "1:both", "name": "tap", "unitID": "u"}"#,
      #"{"name": "tap", "parameters": {"dual_send": "1:old", "a": 1}, "unitID": "u"}"#,
      #"{"name": "tap", "unitID": "u"}"#,
    ]
    _ = try await run(#""shouldSendLogToNewTracker": 100"#, events)
    #expect(
      recording.results.hasSuffix("\n2 events carried a decision; this document decides 1 of them otherwise\n"))
    _ = try await run(#""shouldSendLogToNewTracker": 100"#, events, "--format", "json")
    #expect(recording.results.contains(#""carried":{"decidedOtherwise":1,"events":2}"#))
  }

  @Test("expects of a unit that a rule names what that rule says")
  func namedUnit() async throws {
    let rule = #"{"match": {"unitIDs": ["qa"]}, "shouldSendLogToNewTracker": 100}"#
    _ = try await run(#""rules": [\#(rule)]"#, [#"{"name": "tap", "unitID": "qa"}"#], "--format", "json")
    #expect(recording.results.contains(#""both":{"counted":1,"expected":1}"#))
  }

  @Test("decides with the version, platform and attributes that it is given")
  func context() async throws {
    let rule = #"{"match": {"appVersion": ">=2", "platform": ["iOS"]}, "shouldSendLogToNewTracker": 100}"#
    let event = #"{"name": "tap", "unitID": "u"}"#
    _ = try await run(#""rules": [\#(rule)]"#, [event], "--app-version", "2", "--platform", "iOS", "--format", "json")
    #expect(recording.results.contains(#""both":{"counted":1,"expected":1}"#))
  }

  @Test("decides with what a line says of itself rather than with what it is given")
  func contextOfLine() async throws {
    let rule =
      #"{"match": {"appVersion": ">=2", "platform": ["iOS"], "attributes": {"k": ["v"]}}, "shouldSendLogToNewTracker": 100}"#
    let events = [
      #"{"name": "a", "unitID": "u", "appVersion": "2.1", "platform": "iOS", "attributes": {"k": "v"}}"#,
      #"{"name": "b", "unitID": "u", "appVersion": "2.1-beta", "platform": "iOS", "attributes": {"k": "v"}}"#,
      #"{"name": "c", "unitID": "u"}"#,
      #"{"name": "d", "unitID": "u", "appVersion": "beta", "platform": "iOS", "attributes": {"k": "v"}}"#,
    ]
    _ = try await run(#""rules": [\#(rule)]"#, events, "--app-version", "2", "--platform", "tvOS", "--format", "json")
    let text = recording.results
    #expect(text.contains(#""both":{"counted":1,"expected":1},"name":"a""#))
    // As much of a version counts as is one.
    #expect(text.contains(#""both":{"counted":1,"expected":1},"name":"b""#))
    #expect(text.contains(#""both":{"counted":0,"expected":0},"name":"d""#))
    #expect(text.contains(#""both":{"counted":0,"expected":0},"name":"c""#))
  }

  @Test("names and skips malformed lines, passes over empty ones, and ends with 1")
  func malformed() async throws {
    #expect(try await run("", [#"{"name": "tap"}"#, "", "{}", "nope"]) == .findings)
    #expect(recording.results.contains("total     1"))
    #expect(recording.diagnostics.contains("error[DS0401]: line 3 is not a legacy event: `name` is missing"))
    #expect(recording.diagnostics.contains("events.jsonl:4:2\n"))
  }

  @Test("names the first malformed lines and counts the others")
  func manyMalformed() async throws {
    #expect(try await run("", [#"{"name": "tap"}"#] + (0..<25).map { _ in "nope" }) == .findings)
    #expect(recording.diagnostics.ranges(of: "is not a legacy event").count == 20)
    #expect(recording.diagnostics.hasSuffix("note: 5 more lines are malformed\n"))
  }

  @Test("reads attributes and versions as apps report them, and says which versions are none")
  func contexts() async throws {
    let line = #"{"name":"tap","parameters":{},"unitID":"u","attributes":{"level":3,"beta":true,"x":null}"#
    try folder.write(
      "events.jsonl",
      [#","appVersion":"25.4-beta""#, #","appVersion":"v25.4.2""#, #","appVersion":"v1""#].map { line + $0 + "}\n" }
        .joined())
    try folder.write(
      "rollout.json",
      """
      {"formatVersion": 1, "revision": 1, "salt": "s", "shouldSendLogToOldLogger": 100, "shouldSendLogToNewTracker": 0,
       "rules": [{"name": "three", "match": {"attributes": {"level": ["3"], "beta": ["true"]}, "appVersion": ">=25"},
                  "shouldSendLogToNewTracker": 100}]}
      """)
    let arguments = [
      "simulate", folder.path("rollout.json"), "--events", folder.path("events.jsonl"), "--format", "json",
    ]
    #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .clean, "\(recording.diagnostics)")
    #expect(recording.results.contains(#""both":{"counted":1,"#), "\(recording.results)")
    #expect(recording.diagnostics.contains("2 events with an app version"), "\(recording.diagnostics)")
    #expect(recording.diagnostics.contains("`v25.4.2`"))
  }

  @Test("ends with 2 if the events cannot be read")
  func missing() async throws {
    let arguments = ["simulate", try folder.rollout(), "--events", "/no/such/file"]
    #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .couldNotRun)
    #expect(recording.diagnostics.hasPrefix("error: cannot read /no/such/file: "))
  }

  @Test(
    "draws wider bars where the terminal has room, and never ones too narrow to see",
    arguments: [
      (80, 39), (200, 60), (20, 12),
    ])
  func barWidth(_ columns: Int, _ width: Int) throws {
    var simulation = Simulation(.oldLoggerOnly)
    simulation.add("tap", context: DecisionContext())
    let bar = simulation.text(columns: columns).split(separator: "\n").first { $0.hasPrefix("tap") }
    #expect(bar?.count { $0 == "░" } == width)
  }

  @Test("divides a bar by rounded sums, so that it is always full")
  func bar() {
    let parts = [("a", 1), ("b", 1), ("c", 1)].map { ShareBar.Part(symbol: Character($0.0), count: $0.1) }
    #expect(ShareBar.text(parts, width: 10) == "aaabbbbccc")
    #expect(ShareBar.text([], width: 10).isEmpty)
  }
}
