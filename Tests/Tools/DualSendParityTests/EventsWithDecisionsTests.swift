import DualSend
import DualSendCore
import DualSendRollout
import Testing

@testable import DualSendParity

@Suite("Events that carry their decision", .timeLimit(.minutes(5)))
struct EventsWithDecisionsTests {
  private func old(_ id: String, _ decision: String?, unit: String? = nil, time: Int64 = 1) -> String {
    let decision = decision.map { #","decision":"\#($0)""# } ?? ""
    let unit = unit.map { #","unitID":"\#($0)""# } ?? ""
    return #"{"eventId":"\#(id)","name":"tap","parameters":{},"time":\#(time)\#(unit)\#(decision)}"#
  }

  private func new(_ id: String, _ decision: String?, time: Int64 = 1) -> String {
    let decision = decision.map { #""decision":"\#($0)","# } ?? ""
    return #"{\#(decision)"eventId":"\#(id)","eventName":"tap","eventTime":\#(time),"payload":{}}"#
  }

  private func rollout(
    new percent: Int, old oldPercent: Int = 100, revision: Int = 12, since: Int64? = nil, rules: String = ""
  ) throws -> PublishedRollout {
    let document = try RolloutDocument(
      reading: """
        {"formatVersion":1,"revision":\(revision),"salt":"s","shouldSendLogToOldLogger":\(oldPercent),\
        "shouldSendLogToNewTracker":\(percent)\(rules)}
        """.utf8)
    return PublishedRollout(document, since: since)
  }

  private func membership(
    _ rollouts: [PublishedRollout], late: Int64 = RolloutMembership.defaultLateness,
    context: DecisionContext = DecisionContext()
  ) -> StreamMembership {
    .rollout(RolloutMembership(rollouts, late: late, context: context, keys: .init(), at: nil))
  }

  /// The counts of the one event that are not 0.
  private func counts(_ report: ParityReport) -> [String: Int] {
    let event = report.total
    return Dictionary(
      uniqueKeysWithValues: ParityCount.allCases.map { ($0.key, event[$0]) }.filter { $0.1 > 0 })
  }

  @Test("a lone event is expected, lost or unexpected by what its own app decided")
  func lone() throws {
    let report = try compare(
      old: [old("a", "12:old"), old("b", "12:both"), old("c", "12:new"), old("d", "12:none")],
      new: [new("e", "13:new"), new("f", "13:both"), new("g", "13:old"), new("h", "-:none")])
    #expect(
      counts(report) == [
        "oldOnly": 4, "newOnly": 4, "lostFromNew": 2, "lostFromOld": 2, "unexpectedInOld": 1, "unexpectedInNew": 1,
        "byDecision": 8, "judged": 6, "failingBeforeNoise": 6,
      ])
    #expect(report.event("tap")?.lostExamples == ["b", "c", "f", "g"])
  }

  @Test("a decision wins over --allow-one-sided and over the document; events without one are judged by these")
  func mixed() throws {
    let (olds, news) = ([old("a", "12:both"), old("b", nil)], [new("c", nil)])
    let lenient = try compare(old: olds, new: news, membership: .oneSidedAllowed(in: [.old, .new]))
    #expect(
      counts(lenient)
        == [
          "oldOnly": 2, "newOnly": 1, "lostFromNew": 1, "byDecision": 1, "byNothing": 2, "judged": 1,
          "failingBeforeNoise": 1,
        ])
    let byDocument = try compare(old: olds, new: news, membership: membership([try rollout(new: 0, revision: 11)]))
    #expect(
      counts(byDocument) == [
        "oldOnly": 2, "newOnly": 1, "lostFromNew": 1, "lostFromOld": 1, "byDecision": 1, "byDocument": 2, "judged": 2,
        "failingBeforeNoise": 2,
      ])
  }

  @Test("the two lines of a pair that carry different decisions contradict each other, and the report does not pass")
  func twoDecisions() throws {
    let report = try compare(
      old: [old("a", "12:both"), old("b", "12:both")], new: [new("a", "12:both"), new("b", "13:both")])
    #expect(counts(report) == ["pairs": 2, "byDecision": 2, "contradicting": 1, "judged": 2])
    #expect(report.event("tap")?.contradictingExamples == ["b"])
    #expect(!ParityGate().judgement(on: report).passes)
  }

  @Test("a pair whose decision names one stream alone is unexpected in the other")
  func misplacedPair() throws {
    let report = try compare(old: [old("a", "12:old")], new: [new("a", "12:old")])
    #expect(
      counts(report) == ["pairs": 1, "byDecision": 1, "unexpectedInNew": 1, "judged": 1, "failingBeforeNoise": 1])
  }

  @Test("the adapter's parameter is read and taken out of the payload where the id is one; else it is a value")
  func parameter() throws {
    let line = #"{"name":"tap","parameters":{"event_id":"a","dual_send":"12:both","n":1}}"#
    let newLine = #"{"eventId":"a","eventName":"tap","eventTime":1,"payload":{"n":1}}"#
    let carried = try compare(old: [line], new: [newLine], join: .eventID(parameter: "event_id"))
    #expect(counts(carried) == ["pairs": 1, "byDecision": 1, "judged": 1])
    let other = line.replacing("12:both", with: "a value of the app's own")
    let kept = try compare(old: [other], new: [newLine], join: .eventID(parameter: "event_id"))
    #expect(kept.event("tap")?.field("dual_send")?.counts[.missing] == 1)
    #expect(counts(kept)["byNothing"] == 1)
  }

  @Test(
    "what is no decision is not read as one",
    arguments: [
      "12", "012:both", "+12:both", "12:all", "12:both:", "12:both+", "12:both:a b", "12:both+a b", "-1:both",
      "9223372036854775808:both", "",
    ])
  func noDecision(text: String) throws {
    let report = try compare(old: [old("a", text)], new: [])
    #expect(counts(report) == ["oldOnly": 1, "lostFromNew": 1, "byNothing": 1, "judged": 1, "failingBeforeNoise": 1])
  }

  @Test("a decision that the document of its revision cannot have made is contradicted, by bucket and without a unit")
  func wrongBucket() throws {
    let half = try rollout(new: 50)
    let snapshot = RolloutSnapshot(half.document)
    let units = (0..<200).map { "unit-\($0)" }
    func decision(_ unit: String) -> String {
      snapshot.decision(for: "tap", context: DecisionContext(unitID: unit)).shouldSendLogToNewTracker
        ? "12:both" : "12:old"
    }
    func lines(_ decision: (String) -> String) -> [String] { units.map { old($0, decision($0), unit: $0) } }
    let right = try compare(old: lines(decision), new: [], membership: membership([half]))
    #expect(right.total.contradicting == 0)
    let wrong = try compare(
      old: lines { decision($0) == "12:both" ? "12:old" : "12:both" }, new: [], membership: membership([half]))
    #expect(wrong.total.contradicting == units.count)
    // Of another revision nothing is known.
    let other = try compare(old: [old("a", "11:new", unit: "u")], new: [], membership: membership([half]))
    #expect(other.total.contradicting == 0)
    // No unit of a document without a share for the new tracker alone gets that outcome.
    let unknown = try compare(
      old: [old("a", "12:new"), old("b", "12:both")], new: [], membership: membership([half]))
    #expect(unknown.event("tap")?.contradictingExamples == ["a"])
  }

  @Test("a decision is not called wrong where a rule asks for what the streams do not say")
  func unknownContext() throws {
    let rules = #","rules":[{"match":{"attributes":{"country":["JP"]}},"shouldSendLogToNewTracker":100}]"#
    let rollout = try rollout(new: 0, rules: rules)
    let lines = [old("a", "12:both", unit: "u")]
    #expect(try compare(old: lines, new: [], membership: membership([rollout])).total.contradicting == 0)
    let context = DecisionContext(attributes: ["country": "US"])
    let known = try compare(old: lines, new: [], membership: membership([rollout], context: context))
    #expect(known.total.contradicting == 1)
  }

  @Test("a call's own scope takes sinks away and adds none; a breaker keeps the new tracker off")
  func reasons() throws {
    let all = try rollout(new: 100)
    let lines = [
      old("a", "12:old:scope", unit: "u"), old("b", "12:old:breaker", unit: "u"),
      old("c", "12:both:breaker", unit: "u"),
      old("d", "12:old", unit: "u"), old("e", "12:old:missingUnit"), old("f", "12:old:laterReason", unit: "u"),
    ]
    let report = try compare(old: lines, new: [], membership: membership([all]))
    #expect(report.event("tap")?.contradictingExamples == ["c", "d", "e"])
    // A breaker decides only about what the document gives to the new tracker.
    let none = try compare(
      old: [old("b", "12:old:breaker", unit: "u")], new: [], membership: membership([try rollout(new: 0)]))
    #expect(none.event("tap")?.contradictingExamples == ["b"])
  }

  @Test(
    "around an edit an event without a decision is undecided where the revisions disagree, and counts for neither side")
  func edit() throws {
    let (hour, day): (Int64, Int64) = (3_600_000, 86_400_000)
    let published = [
      try rollout(new: 0, revision: 1), try rollout(new: 100, revision: 2, since: 10 * day),
      try rollout(new: 0, old: 100, revision: 3, since: 20 * day),
    ]
    let both = membership(published, late: day)
    let times: [(id: String, time: Int64)] = [
      ("before", 10 * day - hour), ("clock", 10 * day - 60_000), ("edit", 10 * day), ("late", 11 * day - 1),
      ("after", 11 * day), ("second", 20 * day + hour), ("end", 22 * day),
    ]
    let report = try compare(old: times.map { old($0.id, nil, unit: "u", time: $0.time) }, new: [], membership: both)
    #expect(report.event("tap")?.lostExamples == ["after"])
    #expect(
      counts(report) == [
        "oldOnly": 7, "lostFromNew": 1, "undecided": 4, "byDocument": 7, "judged": 1, "failingBeforeNoise": 1,
      ])
    #expect(report.membership == .rollout(revisions: [1, 2, 3], late: day))
  }

  @Test(
    "an event that every revision sends to both streams is lost at any time, and one without a time is judged by all")
  func allAgree() throws {
    let published = [try rollout(new: 100, revision: 1), try rollout(new: 100, old: 100, revision: 2, since: 1000)]
    let line = #"{"eventId":"a","name":"tap","parameters":{},"unitID":"u"}"#
    let report = try compare(old: [line], new: [], membership: membership(published))
    #expect(counts(report)["lostFromNew"] == 1)
  }
}
