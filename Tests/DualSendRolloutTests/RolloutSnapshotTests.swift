import DualSendCore
import Testing

@testable import DualSendRollout

@Suite struct RolloutSnapshotTests {
  private func outcome(_ document: RolloutDocument, _ event: String, _ context: DecisionContext) -> SinkDecision.Outcome
  {
    RolloutSnapshot(document).decision(for: event, context: context).outcome
  }

  @Test("new fills from the bottom and old drains from the bottom")
  func thresholds() throws {
    let snapshot = RolloutSnapshot(try document(#""shouldSendLogToOldLogger": 95, "shouldSendLogToNewTracker": 5"#))
    for number in 0..<2000 {
      let id = "unit-\(number)"
      let decision = snapshot.decision(for: "e", context: DecisionContext(unitID: id))
      let bucket = try #require(snapshot.bucket(of: id))
      #expect(decision.bucket == bucket.index)
      #expect(decision.outcome == (bucket.index < 5000 ? .newOnly : .oldOnly))
    }
  }

  @Test("raising new only ever adds units")
  func monotone() throws {
    let low = RolloutSnapshot(try document(#""shouldSendLogToNewTracker": 5"#))
    let high = RolloutSnapshot(try document(#""shouldSendLogToNewTracker": 5.5"#))
    for number in 0..<2000 {
      let context = DecisionContext(unitID: "unit-\(number)")
      if low.decision(for: "e", context: context).shouldSendLogToNewTracker {
        #expect(high.decision(for: "e", context: context).shouldSendLogToNewTracker)
      }
    }
  }

  @Test("for each flag the first rule that matches and sets it decides")
  func firstRule() throws {
    let document = try document(
      #"""
      "rules": [
        {"match": {"platform": ["iOS"]}, "shouldSendLogToNewTracker": true},
        {"match": {"events": ["home.*"]}, "shouldSendLogToOldLogger": true, "shouldSendLogToNewTracker": false},
        {"match": {"events": ["home.tap"]}, "shouldSendLogToNewTracker": true}
      ]
      """#)
    let decision = RolloutSnapshot(document).decision(
      for: "home.tap", context: DecisionContext(unitID: "u", platform: "iOS"))
    #expect(decision.newTrackerReason == .rule(0))
    #expect(decision.oldLoggerReason == .rule(1))
    #expect(outcome(document, "home.tap", DecisionContext(unitID: "u")) == .oldOnly)
    #expect(outcome(document, "other", DecisionContext(unitID: "u")) == .oldOnly)
  }

  @Test("every condition of a match must hold, and an absent attribute matches no list")
  func conditions() throws {
    let document = try document(
      #"""
      "rules": [{"match": {"events": ["a"], "appVersion": ">=25.4.10", "platform": ["iOS", "tvOS"],
        "attributes": {"country": ["JP", "DE"], "tier": ["gold"]}, "unitIDs": ["qa"]},
        "shouldSendLogToNewTracker": true}]
      """#)
    let full = DecisionContext(
      unitID: "qa", appVersion: DecisionContext.AppVersion("25.4.10"), platform: "tvOS",
      attributes: ["country": "DE", "tier": "gold"])
    #expect(outcome(document, "a", full) == .both)
    #expect(outcome(document, "b", full) == .oldOnly)
    for change in [
      { $0.unitID = "other" }, { $0.unitID = nil }, { $0.appVersion = DecisionContext.AppVersion("25.4.9") },
      { $0.appVersion = nil },
      { $0.platform = "macOS" }, { $0.platform = nil }, { $0.attributes["tier"] = nil },
      { $0.attributes["country"] = "FR" },
    ] as [@Sendable (inout DecisionContext) -> Void] {
      var context = full
      change(&context)
      #expect(outcome(document, "a", context) == .oldOnly)
    }
  }

  @Test(
    "a unit-less event gets the declared outcome where a bucket would be needed", arguments: MissingUnitOutcome.allCases
  )
  func missingUnit(declared: MissingUnitOutcome) throws {
    let document = try document(#""shouldSendLogToNewTracker": 5, "missingUnit": "\#(declared.rawValue)""#)
    let decision = RolloutSnapshot(document).decision(for: "e", context: DecisionContext())
    #expect(decision.outcome == declared.outcome)
    #expect(decision.newTrackerReason == .missingUnit)
    #expect(decision.bucket == nil)
  }

  @Test("an event that would have neither sink goes to the old logger, and the reason says so")
  func noSink() throws {
    let snapshot = RolloutSnapshot(
      try document(#""shouldSendLogToOldLogger": 60, "shouldSendLogToNewTracker": 30"#))
    for number in 0..<100 {
      let decision = snapshot.decision(for: "e", context: DecisionContext(unitID: "unit-\(number)"))
      let bucket = try #require(decision.bucket)
      #expect(decision.outcome == (bucket < 30_000 ? .newOnly : .oldOnly))
      #expect(decision.oldLoggerReason == ((30_000..<40_000).contains(bucket) ? .noSink : .topLevel))
      #expect(decision.newTrackerReason == .topLevel)
    }
    let off = RolloutSnapshot(try document(#""shouldSendLogToOldLogger": 0"#))
    let decision = off.decision(for: "e", context: DecisionContext())
    #expect(
      off.explanation(of: decision).oldLogger.description
        == "shouldSendLogToOldLogger is on: neither share includes the unit, and the document does not allow that")
  }

  @Test("a kill reaches unit-less events too")
  func killWithoutUnit() throws {
    let document = try document(#""shouldSendLogToNewTracker": 0, "missingUnit": "new""#)
    let decision = RolloutSnapshot(document).decision(for: "e", context: DecisionContext())
    #expect(decision.outcome == .oldOnly)
    #expect(decision.newTrackerReason == .topLevel)
  }

  @Test("a subject is decided as its context, whichever snapshot it was made for")
  func subjects() throws {
    let rules = #"""
      "rules": [{"match": {"platform": ["iOS"], "unitIDs": ["u"]}, "shouldSendLogToNewTracker": 50},
        {"match": {"events": ["home.*"]}, "shouldSendLogToNewTracker": 25}]
      """#
    let first = RolloutSnapshot(try document(rules))
    let second = RolloutSnapshot(try document(rules, salt: "other"))
    for id in ["u", "v", "w"] {
      let context = DecisionContext(unitID: id, platform: "iOS")
      for event in ["home.tap", "x"] {
        for snapshot in [first, second, .oldLoggerOnly] {
          let expected = snapshot.decision(for: event, context: context)
          #expect(snapshot.decision(for: event, subject: first.subject(context)) == expected)
        }
      }
    }
  }

  @Test("plain booleans decide for everybody")
  func booleans() throws {
    let snapshot = try RolloutSnapshot(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true)
    let decision = snapshot.decision(for: "e", context: DecisionContext())
    #expect(decision.outcome == .both)
    #expect(decision.oldLoggerReason == .fixed)
    #expect(RolloutSnapshot.oldLoggerOnly.decision(for: "e", context: DecisionContext()).outcome == .oldOnly)
  }

  @Test("two false booleans are refused unless that is said to be meant")
  func twoFalse() throws {
    #expect(throws: DocumentError.self) {
      try RolloutSnapshot(shouldSendLogToOldLogger: false, shouldSendLogToNewTracker: false)
    }
    let meant = try RolloutSnapshot(
      shouldSendLogToOldLogger: false, shouldSendLogToNewTracker: false, allowNeither: true)
    #expect(meant.decision(for: "e", context: DecisionContext()).outcome == .neither)
  }

  @Test("a schedule counts only with a trusted time and from its first step on")
  func schedule() throws {
    let document = try document(
      #"""
      "shouldSendLogToNewTracker": {"schedule": [
        {"from": "1970-01-01T00:00:01Z", "percentage": 50}, {"from": "1970-01-01T00:00:02Z", "percentage": 100}]}
      """#)
    let context = DecisionContext(unitID: "u")
    let bucket = try #require(RolloutSnapshot(document).bucket(of: "u"))
    func isNew(_ time: Int64?) -> Bool {
      RolloutSnapshot(document, at: time).decision(for: "e", context: context).shouldSendLogToNewTracker
    }
    #expect(!isNew(nil))
    #expect(!isNew(999))
    #expect(isNew(1000) == (bucket.index < 50_000))
    #expect(isNew(2000))
    #expect(RolloutSnapshot(document, at: nil).nextChange == 1000)
    #expect(RolloutSnapshot(document, at: 1000).nextChange == 2000)
    #expect(RolloutSnapshot(document, at: 2000).nextChange == nil)
  }

  @Test("an explanation names the rule, its share, the threshold and the bucket")
  func explanation() throws {
    let snapshot = RolloutSnapshot(
      try document(#""rules": [{"name": "home first", "shouldSendLogToNewTracker": 25}]"#))
    let decision = snapshot.decision(for: "e", context: DecisionContext(unitID: "u"))
    let flag = snapshot.explanation(of: decision).newTracker
    let bucket = try #require(decision.bucket)
    #expect(
      flag.description
        == "shouldSendLogToNewTracker is \(bucket < 25000 ? "on" : "off"): rule 1 \"home first\" sets 25 %, "
        + "which asks for bucket < 25000, and the bucket is \(bucket)")
    #expect(flag.percentage == RolloutPercentage(thousandths: 25000))
  }
}
