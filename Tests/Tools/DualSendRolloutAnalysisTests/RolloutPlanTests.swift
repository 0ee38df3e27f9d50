import DualSendRolloutAnalysis
import Testing

@testable import DualSendRollout

@Suite struct RolloutPlanTests {
  private func plan(_ before: String, _ after: String, salts: [String] = ["test", "test"]) throws -> RolloutPlan {
    try RolloutPlan(from: document(before, salt: salts[0]), to: document(after, salt: salts[1]))
  }

  @Test("the same document changes nothing")
  func same() throws {
    let text = #""rules": [{"match": {"events": ["home.*"]}, "shouldSendLogToNewTracker": 25}]"#
    let plan = try plan(text, text)
    #expect(plan.events.isEmpty)
    #expect(plan.unchangedPatterns == 2)
  }

  @Test("raising new by 20 % is a gain of exactly 20 % and evicts nobody")
  func raise() throws {
    let plan = try plan(#""shouldSendLogToNewTracker": 5"#, #""shouldSendLogToNewTracker": 25"#)
    let change = try #require(plan.events.first?.changes.first)
    #expect(change.gainsNewTracker.description == "20 %")
    #expect(change.losesNewTracker == .none)
    #expect(!plan.evictsUnits)
  }

  @Test("a cell's example unit is in the bucket range that moves")
  func example() throws {
    let plan = try plan(#""shouldSendLogToNewTracker": 5"#, #""shouldSendLogToNewTracker": 5.001"#)
    let change = try #require(plan.events.first?.changes.first)
    let move = try #require(change.transitions.first { $0.from != $0.to })
    let unit = try #require(move.example?.unitID)
    #expect(move.share.description == "0.001 %")
    #expect(RolloutBucketing(salt: "test").bucket(of: unit).index == 5000)
  }

  @Test("lowering new evicts, and the plan says so")
  func lower() throws {
    let plan = try plan(#""shouldSendLogToNewTracker": 25"#, #""shouldSendLogToNewTracker": 5"#)
    #expect(plan.evictsUnits)
    #expect(!plan.leavesUnitsWithoutSink)
    #expect(plan.events.first?.changes.first?.losesNewTracker.description == "20 %")
  }

  @Test("an event that is retired leaves somebody without a sink")
  func retire() throws {
    let plan = try plan(
      "",
      #""rules": [{"match": {"events": ["debug.ping"]}, "shouldSendLogToOldLogger": 0, "allowNeither": true}]"#)
    #expect(plan.leavesUnitsWithoutSink)
    #expect(plan.events.map(\.patterns) == [[.exact("debug.ping")]])
    #expect(plan.events.first?.changes.first?.losesEverySink.description == "100 %")
  }

  @Test("units that a document would leave without a sink, and may not, have the old logger, as in the app")
  func unproved() throws {
    let text = documentText(
      #"""
      "shouldSendLogToOldLogger": 0, "shouldSendLogToNewTracker": 50,
      "rules": [{"match": {"unitIDs": ["qa"]}, "shouldSendLogToNewTracker": 0}]
      """#)
    let unproved = try RolloutDocument(reading: Array(text.utf8), name: "live.json")
    let plan = try RolloutPlan(from: unproved, to: document(#""shouldSendLogToNewTracker": 50"#))
    #expect(
      !plan.events.flatMap(\.changes).flatMap(\.transitions).contains { $0.from == .neither || $0.to == .neither })
    #expect(!plan.leavesUnitsWithoutSink)
  }

  @Test("events that change alike are one group")
  func merged() throws {
    let rules = #"{"match": {"events": ["shop.*"]}, "shouldSendLogToNewTracker": 100}"#
    let plan = try plan(
      #""shouldSendLogToNewTracker": 5, "rules": [\#(rules), {"match": {"events": ["a"]}, "shouldSendLogToOldLogger": 100}]"#,
      #""shouldSendLogToNewTracker": 10, "rules": [\#(rules)]"#)
    #expect(plan.events.map(\.patterns) == [[.prefix("")], [.exact("a")]])
    #expect(plan.unchangedPatterns == 1)
  }

  @Test("a changed salt is a reshuffle, with the shares that two independent hashes give")
  func reshuffle() throws {
    let plan = try plan(
      #""shouldSendLogToNewTracker": 5"#, #""shouldSendLogToNewTracker": 5"#, salts: ["test", "other"])
    #expect(plan.isReshuffle)
    let change = try #require(plan.events.first?.changes.first)
    #expect(change.gainsNewTracker.description == "4.75 %")
    #expect(change.losesNewTracker.description == "4.75 %")
    for transition in change.transitions where transition.from != transition.to {
      let unit = try #require(transition.example?.unitID)
      let isNew = ["test", "other"].map { RolloutBucketing(salt: $0).bucket(of: unit).index < 5000 }
      #expect(isNew == [transition.from.includesNewTracker, transition.to.includesNewTracker])
    }
  }

  @Test("a changed salt moves nobody where everybody has the same")
  func harmlessReshuffle() throws {
    let plan = try plan(#""shouldSendLogToNewTracker": 100"#, #""shouldSendLogToNewTracker": 100"#, salts: ["a", "b"])
    #expect(plan.isReshuffle)
    #expect(plan.events.isEmpty)
  }

  @Test("each step of a schedule is a plan of its own")
  func steps() throws {
    let after = try document(
      #"""
      "shouldSendLogToNewTracker": {"schedule": [
        {"from": "1970-01-01T00:00:01Z", "percentage": 5}, {"from": "1970-01-01T00:00:02Z", "percentage": 25}]}
      """#)
    let plans = try RolloutPlan.steps(from: document(), to: after)
    #expect(plans.map(\.after.time) == [nil, 1000, 2000])
    #expect(plans.map { $0.events.first?.changes.first?.gainsNewTracker.description } == [nil, "5 %", "20 %"])
  }
}
