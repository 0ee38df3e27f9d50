import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendCore
import DualSendTool
import Testing

@Suite("dualsend plan", .timeLimit(.minutes(5)))
struct PlanVerbTests {
  private let recording = RecordingTerminal()
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  /// Plans the step from revision 1 to revision 2.
  private func plan(
    _ before: String, _ after: String, salt: String = "test", _ arguments: String...
  ) async throws -> CommandStatus {
    let old = try folder.rollout(before, named: "old.json", revision: 1)
    let new = try folder.rollout(after, named: "new.json", revision: 2, salt: salt)
    return await DualSendCommand.run(["plan", old, new] + arguments, on: recording.terminal)
  }

  @Test("shows who gains a sink, with a unit that does, and ends well")
  func gain() async throws {
    let status = try await plan(#""shouldSendLogToNewTracker": 5"#, #""shouldSendLogToNewTracker": 25"#)
    #expect(status == .clean)
    #expect(
      recording.results.hasSuffix(
        """
        (revision 2)

        + * (all events without a closer pattern)
            old stays 100 %, new 5 % → 25 %
              set by the top level
            +  20 %  old only → both  gain new  e.g. `unit-29`

        Plan: 1 group of events changes; moves: 1 to gain a sink (+), 0 to lose one (-), 0 to swap (~); no unit is evicted \
        from new, no unit is left without a sink

        """))
    #expect(recording.diagnostics.isEmpty)
  }

  @Test("shows on demand the units that breakers can return to the old logger")
  func breaker() async throws {
    let after = #""shouldSendLogToOldLogger": 80, "shouldSendLogToNewTracker": 25"#
    #expect(try await plan(#""shouldSendLogToNewTracker": 5"#, after, "--breaker") == .clean)
    #expect(
      recording.results.contains(
        """
        breakers (shares of all units):
            * (all events without a closer pattern): up to 25 % can step back; up to 20 % have only the new tracker
            while a breaker is open, no unit is left without a sink

        Plan: 1 group
        """))
  }

  @Test("ends with 1 if somebody is evicted, unless that is allowed")
  func eviction() async throws {
    let (before, after) = (#""shouldSendLogToNewTracker": 25"#, #""shouldSendLogToNewTracker": 5"#)
    #expect(try await plan(before, after) == .findings)
    #expect(recording.results.contains("-  20 %  both → old only  EVICTED from new"))
    #expect(recording.diagnostics.contains("error[DS0404]"))
    #expect(try await plan(before, after, "--allow-evictions") == .clean)
  }

  @Test("ends with 1 if somebody is left without a sink, unless that is allowed")
  func loss() async throws {
    let retired = #""shouldSendLogToOldLogger": 0, "allowNeither": true"#
    #expect(try await plan("", retired) == .findings)
    #expect(recording.results.contains("LEFT WITHOUT A SINK"))
    #expect(recording.diagnostics.contains("error[DS0405]"))
    #expect(try await plan("", retired, "--allow-neither") == .clean)
  }

  @Test("calls a changed salt a reshuffle")
  func reshuffle() async throws {
    let share = #""shouldSendLogToNewTracker": 5"#
    #expect(try await plan(share, share, salt: "other") == .findings)
    #expect(recording.results.contains("\nRESHUFFLE: the salt changes"))
    #expect(recording.results.contains("+  4.75 %  old only → both"))
    #expect(recording.diagnostics.contains("keep the salt"))
  }

  @Test("names units that rules name one by one, and marks a group by what its moves have in common")
  func namedUnits() async throws {
    let rule = #"{"match": {"unitIDs": ["qa"]}, "shouldSendLogToNewTracker": 100, "shouldSendLogToOldLogger": 0}"#
    #expect(try await plan("", #""rules": [\#(rule)]"#) == .clean)
    #expect(recording.results.contains("\n~ * "))
    #expect(recording.results.contains("    ~  unit `qa`  old only → new only  gain new, lose old\n"))
  }

  @Test("shows each later step of a schedule as a change of its own")
  func schedule() async throws {
    let steps =
      #"[{"from": "2026-12-01T00:00:00Z", "percentage": 5}, {"from": "2026-12-02T00:00:00Z", "percentage": 0}]"#
    let flag = #""shouldSendLogToNewTracker": {"schedule": \#(steps)}"#
    #expect(try await plan("", flag, "--at", "2026-11-01T00:00:00Z") == .findings)
    #expect(recording.results.contains("nothing changes at once\n\nfrom 2026-12-01T00:00:00.000Z on, by schedule:\n"))
    #expect(recording.results.contains("UNITS ARE EVICTED FROM NEW"))
  }

  @Test("says that nothing changes")
  func same() async throws {
    #expect(try await plan("", "") == .clean)
    #expect(recording.results.hasSuffix("nothing changes\n\nPlan: nothing changes\n"))
  }

  @Test(
    "ends with 1 for a revision that apps refuse, even if nobody changes sinks, unless that is allowed",
    arguments: [
      (3, #""shouldSendLogToNewTracker": 5"#, "the revision stays 3, and the documents differ", "count it up to 4"),
      (
        2, "", "the revision falls from 3 to 2",
        "count it up to 4; `dualsend rollback` does that for an older document"
      ),
    ])
  func revision(_ revision: Int, _ members: String, _ message: String, _ help: String) async throws {
    let old = try folder.rollout(named: "old.json", revision: 3)
    let new = try folder.rollout(members, named: "new.json", revision: revision)
    #expect(await DualSendCommand.run(["plan", old, new], on: recording.terminal) == .findings)
    #expect(
      recording.diagnostics == """
        error[DS0406]: \(message)
          --> \(new):1:34  revision
           = note: apps that have revision 3 refuse this document and keep theirs
           = help: \(help)

        """)
    #expect(await DualSendCommand.run(["plan", old, new, "--allow-older"], on: recording.terminal) == .clean)
  }

  @Test("takes a document for the same one in other white space and another order, as apps do")
  func sameRevision() async throws {
    let old = try folder.rollout(revision: 3)
    let new = try folder.file("new.json", #"{"salt":"test","revision":3,"formatVersion":1}"#)
    #expect(await DualSendCommand.run(["plan", old, new], on: recording.terminal) == .clean)
    #expect(recording.results.hasSuffix("Plan: both documents mean the same; apps keep the one they have\n"))
    #expect(recording.diagnostics.isEmpty)
  }

  @Test("gives exact percentages and examples as JSON, units that stay included")
  func json() async throws {
    let (before, after) = (#""shouldSendLogToNewTracker": 5"#, #""shouldSendLogToNewTracker": 5.001"#)
    #expect(try await plan(before, after, "--format", "json") == .clean)
    let text = recording.results
    #expect(text.contains(#""gainsNewTracker":0.001"#))
    #expect(text.contains(#"{"example":null,"from":"both","percentage":5,"to":"both"}"#))
    #expect(text.contains(#""evictsUnits":false"#))
  }
}
