import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendTool
import Testing

@Suite("dualsend explain", .timeLimit(.minutes(5)))
struct ExplainVerbTests {
  private let recording = RecordingTerminal()
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private func run(_ arguments: [String]) async -> CommandStatus {
    await DualSendCommand.run(["explain"] + arguments, on: recording.terminal)
  }

  private func rollout() throws -> String {
    try folder.rollout(
      #"""
      "shouldSendLogToNewTracker": 5, "rules": [
        {"name": "home", "match": {"events": ["home.*"], "attributes": {"country": ["JP"]}},
          "shouldSendLogToNewTracker": 25}]
      """#)
  }

  @Test("tells a decision rule by rule, with bucket and thresholds")
  func decision() async throws {
    let arguments = ["--event", "home.tap", "--unit", "u", "--attribute", "country=JP"]
    #expect(await run([try rollout()] + arguments) == .clean)
    #expect(
      recording.results == """
        `home.tap`: unit `u` in bucket 42301, country JP

        #  rule       matches    old   new  decides
        ─  ─────────  ───────  ─────  ────  ───────
        1  home       yes             25 %  new
           top level  yes      100 %   5 %  old

        shouldSendLogToOldLogger is on: the top level sets 100 %, which asks for bucket >= 0, and the bucket is 42301
        shouldSendLogToNewTracker is off: rule 1 "home" sets 25 %, which asks for bucket < 25000, and the bucket is 42301
        so the event goes to: the old logger only
        of all units that the same rules decide: old only 75 %, both 25 %

        """)
  }

  @Test("decides as on a device whose breaker is open, sinks included")
  func breaker() async throws {
    let file = try folder.file(
      "sinks.json",
      #"""
      {"formatVersion": 2, "revision": 1, "salt": "test",
        "shouldSendLogToOldLogger": 0, "shouldSendLogToNewTracker": 100, "sinks": {"new": {"amplitude": 100}}}
      """#)
    #expect(await run([file, "--event", "home.tap", "--unit", "u", "--breaker"]) == .clean)
    #expect(
      recording.results.contains(
        """
        shouldSendLogToOldLogger is on: the breaker on the device keeps the new side off
        shouldSendLogToNewTracker is off: the breaker on the device keeps the new side off
        so the event goes to: the old logger only
        """))
    #expect(recording.results.contains("sinks.new.amplitude is off: shouldSendLogToNewTracker is off"))
  }

  @Test("names every condition that a rule asks for in vain")
  func obstacles() async throws {
    _ = await run([try rollout(), "--event", "shop.tap", "--unit", "u"])
    #expect(recording.results.contains("no: event, attribute country"))
  }

  @Test("reads a schedule at the given time and says so", arguments: [("2026-11-30", "0 %"), ("2026-12-02", "5 %")])
  func schedule(_ day: String, _ share: String) async throws {
    let file = try folder.rollout(
      #""shouldSendLogToNewTracker": {"schedule": [{"from": "2026-12-01T00:00:00Z", "percentage": 5}]}"#)
    #expect(await run([file, "--event", "e", "--unit", "u", "--at", day + "T00:00:00Z"]) == .clean)
    #expect(recording.results.contains("schedules are evaluated at \(day)T00:00:00.000Z\n"))
    #expect(recording.results.contains("the top level sets \(share), which asks for bucket <"))
  }

  @Test("tells a remapped event as before and after, value by value")
  func remapping() async throws {
    let table = try folder.table(
      #"{"tap": {"name": "like", "add": {"schema": 2}, "parameters": {"id": "item", "n": {"to": "count", "type": "int"}, "debug": null}}}"#
    )
    let payload = #"{"id": "m1", "n": "2.5", "debug": 1, "rest": [true]}"#
    #expect(await run(["--remap", table, "--event", "tap", "--payload", payload]) == .clean)
    #expect(
      recording.results == """
        before         after          how
        ─────────────  ─────────────  ──────────────────────
        tap            like           event renamed
        ─────────────  ─────────────  ──────────────────────
        debug = 1                     dropped by its row
        id = "m1"      item = "m1"    moved
        n = "2.5"      count = 2      converted, lost digits
        rest = [true]  rest = [true]  no row: kept
                       schema = 2     constant
        1 value that lost digits

        """)
  }

  @Test("gives both payloads of a remapped event as JSON")
  func remappingJSON() async throws {
    let table = try folder.table(#"{"tap": {"parameters": {"a": "b"}}}"#)
    _ = await run(["--remap", table, "--event", "tap", "--payload", #"{"a": 1}"#, "--format", "json"])
    #expect(
      recording.results.hasPrefix(
        #"{"after":{"name":"tap","payload":{"b":1}},"before":{"name":"tap","payload":{"a":1}}"#))
  }

  @Test(
    "is used wrongly without exactly one document, or with options that do not fit it",
    arguments: [
      (["--event", "e"], "name a rollout document"),
      (["a", "--remap", "b", "--event", "e", "--payload", "{}"], "--remap alone"),
      (["--remap", "b", "--event", "e"], "--remap needs --payload"), (["a"], "--event"),
      (["--remap", "b", "--event", "e", "--payload", "[]"], "not a JSON object"),
      (["a", "--event", "e", "--attribute", "country"], "key=value"),
      (["a", "--event", "e", "--attribute", "a=1", "--attribute", "a=2"], "two values"),
      (["a", "--event", "e", "--app-version", "x.1"], "does not begin with a number"),
      (["a", "--event", "e", "--at", "tomorrow"], "not a time"),
    ])
  func usage(_ arguments: [String], _ explanation: String) async {
    #expect(await run(arguments) == .usage)
    #expect(recording.diagnostics.contains(explanation))
  }

  @Test("refuses a document that is refused elsewhere")
  func brokenDocument() async throws {
    #expect(await run([try folder.rollout(#""salt": "again""#), "--event", "e"]) == .couldNotRun)
    #expect(recording.diagnostics.hasPrefix("error[DS0001]: "))
  }

  @Test("is used wrongly with a pattern in place of an event's name")
  func pattern() async throws {
    #expect(await run([try rollout(), "--event", "home.*"]) == .usage)
    #expect(recording.diagnostics.contains("`home.*` is a pattern: name one event, as the app sends it"))
  }

  @Test("is used wrongly with a version that is too large, and says so")
  func largeVersion() async throws {
    let arguments = ["--event", "home.tap", "--app-version", "99999999999999999999"]
    #expect(await run([try rollout()] + arguments) == .usage)
    #expect(recording.diagnostics.contains("is larger than 18446744073709551615"))
  }
}
