import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis
import Testing

@Suite("The units that breakers can return to the old logger", .timeLimit(.minutes(5)))
struct BreakerReachTests {
  private func reach(_ members: String, at time: Int64? = nil) throws -> [BreakerReach.Events] {
    let text = #"{"formatVersion": 1, "revision": 1, "salt": "s", \#(members)}"#
    return try BreakerReach(of: try RolloutDocument(reading: Array(text.utf8), name: "rollout.json"), at: time).events
  }

  @Test("are the units that have new, and those of them that have new alone")
  func shares() throws {
    let events = try reach(
      #"""
      "shouldSendLogToOldLogger": 70, "shouldSendLogToNewTracker": 50, "missingUnit": "new", "rules": [
        {"match": {"events": ["a.*", "b"], "appVersion": ">=2"},
          "shouldSendLogToOldLogger": 0, "shouldSendLogToNewTracker": 100},
        {"match": {"events": ["off"]}, "shouldSendLogToOldLogger": 100, "shouldSendLogToNewTracker": 0},
        {"match": {"events": ["gone"]},
          "shouldSendLogToOldLogger": 0, "shouldSendLogToNewTracker": 0, "allowNeither": true}]
      """#)
    #expect(events.map { $0.patterns.map(\.description) } == [["*"], ["a.*", "b"]])
    #expect(events.map { $0.steppingBack.description } == ["50 %", "100 %"])
    #expect(events.map { $0.returning.description } == ["30 %", "100 %"])
    #expect(events.map(\.withoutUnit) == [true, true])
  }

  @Test("include units that rules name, which no share counts")
  func named() throws {
    let events = try reach(
      #""rules": [{"match": {"events": ["a"], "unitIDs": ["qa-2", "qa-1"]}, "shouldSendLogToNewTracker": 100}]"#)
    #expect(events.map(\.namedUnits) == [["qa-1", "qa-2"]])
    #expect(events.map { $0.steppingBack } == [.none])
    #expect(events.map(\.withoutUnit) == [false])
  }

  @Test("are none while the new side gets nothing")
  func none() throws {
    #expect(try reach(#""shouldSendLogToNewTracker": 0"#).isEmpty)
  }
}
