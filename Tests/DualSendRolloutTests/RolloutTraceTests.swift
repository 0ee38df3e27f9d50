import DualSendRolloutTraces
import Testing

@testable import DualSendRollout

@Suite struct RolloutTraceTests {
  private func trace(_ context: DecisionContext) throws -> RolloutTrace {
    let document = try document(
      #"""
      "rules": [
        {"name": "qa", "match": {"unitIDs": ["qa"]}, "shouldSendLogToNewTracker": true},
        {"name": "home", "match": {"events": ["home.*"], "appVersion": ">=2", "platform": ["iOS"],
          "attributes": {"country": ["JP"]}}, "shouldSendLogToNewTracker": 25}
      ]
      """#)
    return RolloutSnapshot(document).trace(for: "home.tap", context: context)
  }

  @Test("for each rule it is said which conditions fail")
  func obstacles() throws {
    let trace = try trace(
      DecisionContext(unitID: "u", appVersion: DecisionContext.AppVersion("1"), attributes: ["country": "DE"]))
    #expect(
      trace.rules.map(\.obstacles) == [
        [.context(.property(.unitID))],
        [.context(.property(.appVersion)), .context(.property(.platform)), .context(.attribute("country"))],
      ])
    #expect(trace.decision.newTrackerReason == .topLevel)
  }

  @Test("the rule that decides is marked, and one that comes too late is not")
  func deciding() throws {
    let trace = try trace(
      DecisionContext(
        unitID: "qa", appVersion: DecisionContext.AppVersion("2"), platform: "iOS", attributes: ["country": "JP"]))
    #expect(trace.rules.map(\.matches) == [true, true])
    #expect(trace.rules.map(\.decidesNewTracker) == [true, false])
    #expect(trace.rules.map(\.decidesOldLogger) == [false, false])
  }

  @Test("the expectation is the share of units whatever the unit")
  func expectation() throws {
    let trace = try trace(
      DecisionContext(appVersion: DecisionContext.AppVersion("2"), platform: "iOS", attributes: ["country": "JP"]))
    #expect(trace.expectation?.share(of: .both).description == "25 %")
    #expect(trace.expectation?.share(of: .oldOnly).description == "75 %")
    #expect(trace.expectation?.share(of: .neither).description == "0 %")
  }
}
