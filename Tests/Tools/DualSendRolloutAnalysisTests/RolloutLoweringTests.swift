import Testing

@testable import DualSendRollout
@testable import DualSendRolloutAnalysis

@Suite("Lowering events in every place of a rollout", .timeLimit(.minutes(5)))
struct RolloutLoweringTests {
  private static let everything = [EventPattern.prefix("")]

  private func lowered(
    _ members: String, _ events: [EventPattern] = everything, to share: RolloutPercentage = .none,
    keepsNamedUnits: Bool = false
  ) throws -> RolloutDocument {
    let lowering = RolloutLowering(events, to: share, keepsNamedUnits: keepsNamedUnits)
    let text = try #require(try lowering.text(of: Array(documentText(members).utf8)))
    return try RolloutDocument(proving: text, name: "rollout.json")
  }

  private func percent(_ document: RolloutDocument, _ event: String, unit: String? = nil) -> Int? {
    let snapshot = RolloutSnapshot(document, at: nil)
    guard let unit else {
      return (0..<100).count { bucket in
        snapshot.decision(for: event, context: DecisionContext(unitID: UnitTable.ids[bucket * 1000]))
          .shouldSendLogToNewTracker
      }
    }
    return snapshot.decision(for: event, context: DecisionContext(unitID: unit)).shouldSendLogToNewTracker ? 100 : 0
  }

  @Test("a rule above gives an event nothing any more, and another event of the rule keeps what it has")
  func rule() throws {
    let document = try lowered(
      #"""
      "shouldSendLogToNewTracker": 25, "rules": [
        {"name": "home first", "match": {"events": ["home.*"]}, "shouldSendLogToNewTracker": 100}]
      """#, [.exact("home.tap")])
    #expect(percent(document, "home.tap") == 0)
    #expect(percent(document, "home.view") == 100)
    #expect(percent(document, "cart.add") == 25)
    #expect(document.rules.map(\.name) == ["home first, lowered", "home first"])
  }

  @Test("an event that only the top level gives gets a rule of its own")
  func topLevel() throws {
    let document = try lowered(#""shouldSendLogToNewTracker": 25"#, [.exact("cart.add")])
    #expect(percent(document, "cart.add") == 0)
    #expect(percent(document, "cart.view") == 25)
  }

  @Test("the old logger gets what would have no sink, and what is retired stays so")
  func sinks() throws {
    let document = try lowered(
      #"""
      "shouldSendLogToOldLogger": 0, "shouldSendLogToNewTracker": 100, "rules": [
        {"match": {"events": ["gone"]}, "shouldSendLogToOldLogger": 0, "shouldSendLogToNewTracker": 0,
         "allowNeither": true}]
      """#)
    let snapshot = RolloutSnapshot(document, at: nil)
    #expect(snapshot.decision(for: "a", context: DecisionContext(unitID: "u")).outcome == .oldOnly)
    #expect(snapshot.decision(for: "gone", context: DecisionContext(unitID: "u")).outcome == .neither)
  }

  @Test("what is retired stays so for others, where a retired place has to give units back their only sink")
  func retiredPlaces() throws {
    let rules = [("gone", "0"), ("partly", "null"), ("ended", "0")].map { event, new in
      let share = new == "null" ? "" : "\"shouldSendLogToNewTracker\": \(new), "
      return
        "{\"match\": {\"events\": [\"\(event)\"]}, \"shouldSendLogToOldLogger\": 0, \(share)\"allowNeither\": true}"
    }
    let document = try lowered(
      "\"shouldSendLogToOldLogger\": 0, \"shouldSendLogToNewTracker\": 100, \"rules\": [\(rules.joined(separator: ", "))]"
    )
    let snapshot = RolloutSnapshot(document, at: nil)
    func outcome(_ event: String) -> SinkDecision.Outcome {
      snapshot.decision(for: event, context: DecisionContext(unitID: "u")).outcome
    }
    #expect(outcome("partly") == .oldOnly && outcome("other") == .oldOnly)
    #expect(outcome("gone") == .neither && outcome("ended") == .neither)
  }

  @Test("a unit that a rule names is no exception, unless it is asked for, and then it is told")
  func namedUnits() throws {
    let members = #"""
      "shouldSendLogToNewTracker": 25, "rules": [
        {"name": "testers", "match": {"unitIDs": ["qa-1"]}, "shouldSendLogToNewTracker": true}]
      """#
    #expect(percent(try lowered(members), "a", unit: "qa-1") == 0)
    let kept = try lowered(members, keepsNamedUnits: true)
    #expect(percent(kept, "a", unit: "qa-1") == 100 && percent(kept, "a") == 0)
    let rest = try RolloutLowering(Self.everything, to: .none).rest(in: kept)
    #expect(rest.map(\.units) == [["qa-1"]] && rest.map(\.place) == [#"rule 1 "testers""#])
  }

  @Test("a share of 0 is nothing to lower")
  func nothing() throws {
    let lowering = RolloutLowering([.exact("a")], to: .none)
    let text = documentText(#""rules": [{"match": {"events": ["b"]}, "shouldSendLogToNewTracker": 100}]"#)
    #expect(try lowering.text(of: Array(text.utf8)) == nil)
  }

  @Test("a text keeps all but the edited numbers")
  func formatting() throws {
    let text =
      "{ \"formatVersion\":1,\n  \"revision\" : 7, \"salt\": \"a \\\"[{\",\n\t\"shouldSendLogToNewTracker\": 12.50 }\n"
    let lowered = try RolloutLowering(Self.everything, to: .none).text(of: Array(text.utf8))
    #expect(lowered.map { String(decoding: $0, as: UTF8.self) } == text.replacing("12.50", with: "0"))
  }

  @Test(
    "random documents: each event gets at most the share, others keep what they have",
    arguments: 0..<(5 * TestLength.factor))
  func random(seed: Int) throws {
    var generator = RandomRollout(seed: 5000 + seed)
    for _ in 0..<6 {
      let text = Array(generator.text().utf8)
      let before = try RolloutDocument(reading: text)
      let events = generator.someEvents()
      for percent in [0.0, 25, 60] {
        let share = try #require(RolloutPercentage(percent: percent))
        let lowering = RolloutLowering(events, to: share)
        let after = try lowering.text(of: text).map { try RolloutDocument(reading: $0) } ?? before
        #expect(try lowering.rest(in: after).isEmpty, "\(events) \(percent) \(String(decoding: text, as: UTF8.self))")
        for time in [nil, 1500] as [Int64?] { compare(before, after, events, share, at: time) }
      }
    }
  }

  private func compare(
    _ before: RolloutDocument, _ after: RolloutDocument, _ events: [EventPattern], _ share: RolloutPercentage,
    at time: Int64?
  ) {
    let (old, new) = (RolloutSnapshot(before, at: time), RolloutSnapshot(after, at: time))
    let units: [(String?, Int)] =
      UnitTable.edges(of: [before, after]).map { (UnitTable.ids[$0], $0) }
      + ["qa-1", "qa-2"].map { ($0, RolloutBucketing(salt: UnitTable.salt).bucket(of: $0).index) } + [(nil, 0)]
    for context in RandomRollout.contexts(for: [before]) {
      for (unit, bucket) in units {
        var context = context
        context.unitID = unit
        for event in RandomRollout.events {
          let (was, is_) = (old.decision(for: event, context: context), new.decision(for: event, context: context))
          let isMeant = events.contains { $0.matches(event) }
          let isRight =
            if !isMeant {
              was.outcome == is_.outcome
            } else if unit == nil {
              share > .none || !is_.shouldSendLogToNewTracker
            } else {
              is_.shouldSendLogToNewTracker == (was.shouldSendLogToNewTracker && bucket < share.thousandths)
                && (is_.shouldSendLogToOldLogger || !was.shouldSendLogToOldLogger)
                && (is_.outcome != .neither || was.outcome == .neither)
            }
          if !isRight { Issue.record("\(event) \(context): \(was.outcome) → \(is_.outcome), \(events) to \(share)") }
        }
      }
    }
  }
}
