import DualSendRollout
import DualSendRolloutAnalysis
import Testing

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

  @Test(
    "a sink is explained in one line",
    arguments: [
      ("a", RolloutSide.new, "unit-29", "sinks.new.a is on: rule 1 \"home\" sets 50 %, which asks for bucket < 50000"),
      ("b", .new, "unit-29", "sinks.new.b is on: the top level sets 100 %, so it follows shouldSendLogToNewTracker"),
      ("c", .old, "unit-29", "sinks.old.c is off: the top level sets 10 %, which asks for bucket >= 90000"),
      ("d", .new, "unit-29", "sinks.new.d is on: the document does not name it, so it follows shouldSend"),
      ("a", .new, nil, "sinks.new.a is off: shouldSendLogToNewTracker is off"),
      ("c", .old, nil, "sinks.old.c is off: the top level sets 10 %, and there is no unit ID"),
      ("\u{1B}", .new, "unit-29", "sinks.new.\\u001b is on"),
    ] as [(String, RolloutSide, String?, String)])
  func sink(_ sink: String, side: RolloutSide, unit: String?, start: String) throws {
    let text = #"""
      {"formatVersion": 2, "revision": 1, "salt": "test",
      "shouldSendLogToNewTracker": 30, "sinks": {"new": {"a": 5, "b": true}, "old": {"c": 10}},
      "rules": [{"name": "home", "sinks": {"new": {"a": 50}}}]}
      """#
    let document = try RolloutDocument(proving: text.utf8)
    let explanation = RolloutSnapshot(document).explanation(
      of: sink, on: side, event: "e", context: DecisionContext(unitID: unit))
    #expect(explanation.description.hasPrefix(start), "\(explanation)")
  }
}
