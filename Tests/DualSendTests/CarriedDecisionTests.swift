import CustomDump
import DualSend
import DualSendCore
import DualSendRollout
import DualSendTesting
import DualSendTracking
import Testing

@Suite("What the adapter says of its decisions", .timeLimit(.minutes(5)))
struct CarriedDecisionTests {
  private let key = "event_id"

  /// The decisions of all events so far, in both streams.
  private func decisions(_ bench: Bench) async -> (old: [String], new: [String]) {
    await bench.dualSend.tracker.flush()
    func text(_ value: EventValue?) -> String { if case .string(let text)? = value { text } else { "none" } }
    return (
      bench.oldLogger.entries.map { text($0.parameters["dual_send"]) },
      bench.transport.events.map { text($0["decision"]) }
    )
  }

  @Test("both streams carry the revision in force and who gets the event, also after an edit")
  func edits() async throws {
    let bench = try Bench(old: 100, new: 0, oldLoggerEventIDKey: key)
    bench.dualSend.logEvents(name: "a", parameters: ["n": 1])
    bench.rollout.set(try Bench.rollout(old: 100, new: 100, revision: 7))
    bench.dualSend.logEvents(name: "a", parameters: ["n": 2])
    bench.rollout.set(try Bench.rollout(old: 0, new: 100, revision: 8))
    bench.dualSend.log("a", parameters: ["n": 3])
    let (old, new) = await decisions(bench)
    #expect(old == ["1:old", "7:both"])
    #expect(new == ["7:both", "8:new"])
    expectNoDifference(bench.transport.events.map { $0["payload"] }, [["n": 2], ["n": 3]])
  }

  @Test("nothing is marked unless the option is set")
  func off() async throws {
    let bench = try Bench(old: 100, new: 100)
    bench.dualSend.logEvents(name: "a", parameters: ["n": 1])
    let (old, new) = await decisions(bench)
    #expect((old, new) == (["none"], ["none"]))
    expectNoDifference(bench.oldLogger.entries, [.init(name: "a", parameters: ["n": 1])])
  }

  @Test("plain booleans have no revision, and a missing unit is said")
  func withoutRevision() async throws {
    let bench = try Bench(old: 100, new: 50, unitID: nil, oldLoggerEventIDKey: key)
    bench.dualSend.logEvents(name: "a", parameters: [:])
    bench.rollout.set(
      try RolloutSnapshot(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true))
    bench.dualSend.logEvents(name: "a", parameters: [:])
    let (old, new) = await decisions(bench)
    #expect(old == ["1:old:missingUnit", "-:both"])
    #expect(new == ["-:both"])
  }

  @Test("a call that names its sinks says so, and what is left of the decision")
  func scope() async throws {
    let bench = try Bench(old: 100, new: 100, oldLoggerEventIDKey: key)
    bench.dualSend.logEvent(LegacyEvent(name: "a", unitID: "u"), to: .only([.newTracker]))
    bench.dualSend.logEvent(LegacyEvent(name: "a", unitID: "u"), to: .only([.oldLogger]))
    let (old, new) = await decisions(bench)
    #expect(old == ["1:old:scope"])
    #expect(new == ["1:new:scope"])
  }

  @Test("mutations change the event and leave its decision")
  func mutations() async throws {
    let bench = try Bench(old: 100, new: 100, oldLoggerEventIDKey: key)
    bench.dualSend.changeMutations {
      $0.append(Mutation("rename", on: .sink) { $0.name = "b" })
      $0.append(Mutation("add", on: .caller) { $0.parameters["x"] = 1 })
    }
    bench.dualSend.logEvents(name: "a", parameters: ["n": 1])
    let (old, new) = await decisions(bench)
    #expect((old, new) == (["1:both"], ["1:both"]))
    expectNoDifference(bench.transport.events.first?["payload"], ["n": 1, "x": 1])
  }

  @Test("sinks beside the two are named where the rollout lets them have the event")
  func narrowing() async throws {
    let bench = try Bench(old: 100, new: 100, oldLoggerEventIDKey: key)
    let oldLogger = RecordingOldLogger()
    let text = """
      {"formatVersion": 2, "revision": 4, "salt": "s", "shouldSendLogToOldLogger": 100,
       "shouldSendLogToNewTracker": 100, "sinks": {"new": {"amplitude": 0}},
       "rules": [{"match": {"events": ["b"]}, "sinks": {"new": {"amplitude": 100}}}]}
      """
    let direct = RecordingOldLogger()
    let dualSend = DualSendTracker(
      oldLogger: oldLogger, tracker: bench.dualSend.tracker,
      rollout: RolloutSnapshot(try RolloutDocument(reading: text.utf8)), unitID: { "u" }
    ) {
      $0.oldSinks = [.logger("console", direct)]
      $0.newSinks = [.tracker("amplitude", bench.dualSend.tracker)]
      $0.oldLoggerEventIDKey = key
    }
    dualSend.logEvents(name: "a", parameters: [:])
    dualSend.logEvents(name: "b", parameters: [:])
    #expect(oldLogger.entries.map { $0.parameters["dual_send"] } == ["4:both+console", "4:both+amplitude+console"])
    #expect(direct.entries.map { $0.parameters["dual_send"] } == ["4:both+console", "4:both+amplitude+console"])
  }
}
