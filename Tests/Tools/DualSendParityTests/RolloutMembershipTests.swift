import DualSend
import DualSendCore
import DualSendRemapping
import DualSendRollout
import Testing

@testable import DualSendParity

@Suite("Where a rollout sends events", .timeLimit(.minutes(5)))
struct RolloutMembershipTests {
  private let table = #"{"tap":{"name":"tapped","parameters":{"uid":"user"}}}"#

  private func rollout(
    _ members: String, keys: RolloutMembership.Keys = .init(), context: DecisionContext = .init(), at time: Int64? = nil
  ) throws -> StreamMembership {
    let document = try RolloutDocument(
      reading: #"{"formatVersion":1,"revision":3,"salt":"s",\#(members)}"#.utf8)
    return .rollout(RolloutMembership([PublishedRollout(document)], context: context, keys: keys, at: time))
  }

  /// Sends the named units to both sinks and everybody else to the old logger.
  private func bothForNamed(keys: RolloutMembership.Keys = .init()) throws -> StreamMembership {
    try rollout(#""rules":[{"match":{"unitIDs":["both"]},"shouldSendLogToNewTracker":100}]"#, keys: keys)
  }

  private func legacy(_ id: String, unit: String?, time: Int = 1, name: String = "tap") -> String {
    let member = unit.map { #""unitID":\#($0),"# } ?? ""
    return #"{"eventId":"\#(id)","name":"\#(name)",\#(member)"parameters":{},"time":\#(time)}"#
  }

  private func counts(_ event: EventParity) -> [String: Int] {
    [
      "lostFromNew": event.lostFromNew, "lostFromOld": event.lostFromOld, "unexpectedInOld": event.unexpectedInOld,
      "unexpectedInNew": event.unexpectedInNew, "undecided": event.undecided,
      "withoutUnit": event.withoutUnit, "judged": event.judged,
      "failing": event.failing,
    ].filter { $0.value > 0 }
  }

  @Test("an event of a unit that has both sinks is lost where one stream lacks it, and of another unit it is not")
  func lost() throws {
    let report = try compare(
      old: [
        legacy("a", unit: #""both""#), legacy("b", unit: #""both""#), legacy("c", unit: #""other""#),
        legacy("d", unit: "null"),
      ],
      new: [new("a", "tapped")], table: table, membership: bothForNamed())
    let event = try #require(report.event("tap"))
    #expect(counts(event) == ["lostFromNew": 1, "judged": 2, "failing": 1])
    #expect((event.oldOnly, event.lostExamples) == (3, ["b"]))
    #expect(report.membership == .rollout(revisions: [3], late: RolloutMembership.defaultLateness))
  }

  @Test("an event in a stream where its unit does not belong is unexpected, alone or paired")
  func unexpected() throws {
    let news = [new("a", "tapped"), new("b", "tapped", #"{"user":"other"}"#)]
    var keys = RolloutMembership.Keys()
    keys.unit = try KeyPathPattern("user")
    let report = try compare(
      old: [legacy("a", unit: #""other""#)], new: news, table: table, membership: bothForNamed(keys: keys))
    let event = try #require(report.event("tap"))
    // `b` belongs in the old stream only: what it is missed in counts before where it should not be.
    #expect(counts(event) == ["unexpectedInNew": 1, "lostFromOld": 1, "judged": 2, "failing": 2])
    #expect((event.unexpectedExamples, event.lostExamples) == (["a"], ["b"]))
  }

  @Test("an event retired on purpose is unexpected wherever it stands")
  func neither() throws {
    let nobody = try rollout(
      #""shouldSendLogToOldLogger":false,"shouldSendLogToNewTracker":false,"allowNeither":true"#)
    let report = try compare(
      old: [legacy("a", unit: #""u""#), legacy("b", unit: #""u""#)], new: [new("b", "tapped")], table: table,
      membership: nobody)
    #expect(
      counts(try #require(report.event("tap")))
        == ["unexpectedInOld": 2, "unexpectedInNew": 1, "judged": 2, "failing": 2])
  }

  @Test("the unit is taken from the old line, else from the payload, whichever side that is on")
  func units() throws {
    var keys = RolloutMembership.Keys()
    keys.unit = try KeyPathPattern("user")
    let olds = [
      #"{"eventId":"a","name":"tap","parameters":{"uid":"both"}}"#,
      #"{"eventId":"b","name":"tap","parameters":{"uid":"other"}}"#,
      #"{"eventId":"c","name":"tap","parameters":{"uid":"both"},"unitID":"other"}"#,
    ]
    let report = try compare(
      old: olds, new: [new("d", "tapped", #"{"user":"both"}"#)], table: table, membership: bothForNamed(keys: keys))
    let event = try #require(report.event("tap"))
    #expect(counts(event) == ["lostFromNew": 1, "lostFromOld": 1, "judged": 2, "failing": 2])
    #expect(event.lostExamples == ["a", "d"])
  }

  @Test("a lone event of an unknown unit fails, unless every unit has the same sinks")
  func unknownUnit() throws {
    let (olds, news) = ([legacy("a", unit: nil)], [new("b", "tapped")])
    let some = try compare(old: olds, new: news, table: table, membership: bothForNamed())
    #expect(counts(try #require(some.event("tap"))) == ["withoutUnit": 1, "lostFromOld": 1, "judged": 2, "failing": 2])
    let all = try compare(
      old: olds, new: news, table: table, membership: try rollout(#""shouldSendLogToNewTracker":100"#))
    #expect(counts(try #require(all.event("tap"))) == ["lostFromNew": 1, "lostFromOld": 1, "judged": 2, "failing": 2])
    let none = try compare(
      old: olds, new: [], table: table, membership: try rollout(#""shouldSendLogToNewTracker":0"#))
    #expect(counts(try #require(none.event("tap"))) == [:])
    let half = try compare(
      old: olds, new: [], table: table, membership: try rollout(#""shouldSendLogToNewTracker":50"#))
    #expect(counts(try #require(half.event("tap"))) == ["withoutUnit": 1, "judged": 1, "failing": 1])
  }

  @Test("rules are asked about the old name, and about each that a new name may stand for")
  func names() throws {
    let table = #"{"tap":{"name":"click"},"press":{"name":"click"}}"#
    let tapOnly = try rollout(#""rules":[{"match":{"events":["tap"]},"shouldSendLogToNewTracker":100}]"#)
    let report = try compare(
      old: [legacy("a", unit: #""u""#), legacy("b", unit: #""u""#, name: "press")], new: [new("c", "click")],
      table: table, membership: tapOnly)
    #expect(counts(try #require(report.event("tap"))) == ["lostFromNew": 1, "judged": 1, "failing": 1])
    #expect(counts(try #require(report.event("press"))) == [:])
    // Both old names belong in the old stream, whatever they do in the new one.
    #expect(counts(try #require(report.event("click"))) == ["lostFromOld": 1, "judged": 1, "failing": 1])
  }

  @Test("what rules ask for is taken from the options or from the payload")
  func context() throws {
    let members = """
      "rules":[{"match":{"appVersion":">=2","platform":["iOS"],"attributes":{"country":["JP"]}},\
      "shouldSendLogToNewTracker":100}]
      """
    var keys = RolloutMembership.Keys()
    keys.properties = [.appVersion: try KeyPathPattern("app.version"), .platform: try KeyPathPattern("os")]
    keys.attributes = ["country": try KeyPathPattern("app.country")]
    func old(_ id: String, _ version: String) -> String {
      #"{"eventId":"\#(id)","name":"tap","unitID":"u","parameters":"#
        + #"{"app":{"version":"\#(version)","country":"JP"},"os":"iOS"}}"#
    }
    let fromPayload = try compare(
      old: [old("a", "1.9"), old("b", "2.0")], new: [], table: table, membership: try rollout(members, keys: keys))
    #expect(fromPayload.event("tap")?.lostExamples == ["b"])
    let context = DecisionContext(
      appVersion: DecisionContext.AppVersion("2"), platform: "iOS", attributes: ["country": "JP"])
    let fromOptions = try compare(
      old: [old("a", "1.9")], new: [], table: table, membership: try rollout(members, context: context))
    #expect(fromOptions.event("tap")?.lostExamples == ["a"])
  }

  @Test("schedules are read at each event's time, or at the one that is given")
  func schedules() throws {
    let step = try #require(Timestamp.milliseconds(text: "2026-01-01T00:00:00Z"))
    let members = #""shouldSendLogToNewTracker":{"schedule":[{"from":"2026-01-01T00:00:00Z","percentage":100}]}"#
    let olds = [
      legacy("a", unit: #""u""#, time: Int(step) - 1), legacy("b", unit: #""u""#, time: Int(step)),
    ]
    func lost(at time: Int64?) throws -> [String]? {
      try compare(old: olds, new: [], table: table, membership: try rollout(members, at: time)).event("tap")?
        .lostExamples
    }
    #expect(try lost(at: nil) == ["b"])
    #expect(try lost(at: step) == ["a", "b"])
    #expect(try lost(at: step - 1) == [])
  }

  @Test("without a rollout every event belongs in both streams, unless the caller vouches for a side")
  func withoutRollout() throws {
    let (olds, news) = ([old("a", "tap"), old("b", "tap")], [new("b", "tapped"), new("c", "tapped")])
    let strict = try compare(old: olds, new: news, table: table)
    #expect(
      counts(try #require(strict.event("tap")))
        == ["lostFromNew": 1, "lostFromOld": 1, "judged": 3, "failing": 2])
    let lenient = try compare(old: olds, new: news, table: table, membership: .oneSidedAllowed(in: [.old]))
    #expect(counts(try #require(lenient.event("tap"))) == ["lostFromOld": 1, "judged": 2, "failing": 1])
    #expect(lenient.membership.description == "events without a decision pass that only the old stream has")
  }

  @Test("pairs that are known by their text are held against the rollout as well")
  func knownByText() throws {
    let olds = (0..<50).map { legacy("id\($0)", unit: #""\#($0 == 40 ? "other" : "both")""#) }
    let news = (0..<50).map { new("id\($0)", "tapped") }
    let report = try compare(old: olds, new: news, table: table, membership: bothForNamed())
    #expect(
      counts(try #require(report.event("tap"))) == ["unexpectedInNew": 1, "judged": 50, "failing": 1])
    #expect(report.event("tap")?.unexpectedExamples == ["id40"])
  }
}
