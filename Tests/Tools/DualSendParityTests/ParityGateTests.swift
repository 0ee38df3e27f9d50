import Testing

@testable import DualSendParity

@Suite("The gate", .timeLimit(.minutes(5)))
struct ParityGateTests {
  private func event(
    pairs: Int, differing: Int = 0, lost: Int = 0, unexpected: Int = 0, withoutUnit: Int = 0
  ) -> EventParity {
    var event = EventParity(name: "tap", newName: "tapped")
    (event[.pairs], event[.differingBeforeNoise], event[.lostFromNew]) = (pairs, differing, lost)
    (event[.unexpectedInNew], event[.withoutUnit]) = (unexpected, withoutUnit)
    event[.judged] = pairs + lost + unexpected + withoutUnit
    event[.failingBeforeNoise] = differing + lost + unexpected + withoutUnit
    return event
  }

  private func gate(_ limit: String, looks: Int = 1) throws -> ParityGate {
    ParityGate(limit: try #require(FailingLimit(limit)), looks: looks, countsEvents: true)
  }

  private func summary(_ gate: ParityGate, _ event: EventParity) -> String {
    gate.summary(of: event, gate.verdict(on: event))
  }

  @Test("wants 2,995 pairs without a failure for 0.1 %, and not one less")
  func evidence() throws {
    let gate = try gate("0.1%")
    #expect(gate.verdict(on: event(pairs: 2_995)) == .passes)
    #expect(gate.verdict(on: event(pairs: 2_994)) == .tooLittleEvidence(needed: 2_995))
    #expect(summary(gate, event(pairs: 1)) == "not enough evidence: 1 pair, at least 2,995 for 0.1 %")
  }

  @Test("counts what is lost, unexpected or of an unknown unit like what differs")
  func failures() throws {
    let gate = try gate("0.1%")
    for failing in [
      event(pairs: 9_999, differing: 20), event(pairs: 9_980, lost: 20), event(pairs: 9_980, unexpected: 20),
      event(pairs: 9_980, withoutUnit: 20), event(pairs: 9_985, differing: 5, lost: 5, unexpected: 5, withoutUnit: 5),
    ] { #expect(gate.verdict(on: failing) == .tooManyFailures) }
    #expect(
      summary(gate, event(pairs: 1, lost: 5_999)) == "5,999 of 6,000 events are lost (99.9833%)")
    #expect(
      summary(gate, event(pairs: 324, differing: 288)) == "288 of 324 pairs differ (88.8889%)")
    #expect(
      summary(gate, event(pairs: 80, differing: 10, lost: 10, unexpected: 10))
        == "30 of 100 events differ or are lost or unexpected (30.0000%)")
  }

  @Test("counts units, each once, where events name theirs, and asks for leave to count events where they do not")
  func units() throws {
    func event(units: Int, failing: Int, withoutUnit: Int = 0) -> EventParity {
      var event = self.event(pairs: 100 * units, differing: failing)
      event.savedTotals = UnitTotals(judged: units, failing: failing, withoutUnit: withoutUnit)
      return event
    }
    let gate = ParityGate(limit: try #require(FailingLimit("0.1%")))
    #expect(gate.verdict(on: event(units: 30, failing: 0)) == .tooLittleEvidence(needed: 2_995))
    #expect(summary(gate, event(units: 30, failing: 0)) == "not enough evidence: 30 units, at least 2,995 for 0.1 %")
    #expect(summary(gate, event(units: 4_120, failing: 0)) == "of 4,120 units, at most 0.08 % fail")
    #expect(summary(gate, event(units: 4_120, failing: 12)) == "12 of 4,120 units fail (0.2913%)")
    for events in [self.event(pairs: 9_000), event(units: 4_120, failing: 0, withoutUnit: 1_000)] {
      #expect(gate.verdict(on: events) == .eventsCounted)
      #expect(summary(gate, events).hasPrefix("the sample is events, which fail together"))
      #expect(ParityGate(limit: gate.limit, countsEvents: true).verdict(on: events) == .passes)
      #expect(ParityGate().verdict(on: events) == .passes)
    }
  }

  @Test("calls a share within the limit that may be above it too little evidence, and says what would be enough")
  func seenWithinLimit() throws {
    #expect(try gate("25%").verdict(on: event(pairs: 4, differing: 1)) == .tooLittleEvidence(needed: 18))
    #expect(
      try summary(gate("0.1%"), event(pairs: 4_000, differing: 1))
        == "not enough evidence: 1 of 4,000 pairs differ (0.0250%), at least 4,742 for 0.1 %")
  }

  @Test("takes a limit of 0 % as none seen, for which one pair is enough")
  func zero() throws {
    #expect(try gate("0%").verdict(on: event(pairs: 1)) == .passes)
    #expect(try gate("0%").verdict(on: event(pairs: 1_000_000, lost: 1)) == .tooManyFailures)
  }

  @Test("lets everything pass at 100 %, but nothing that was not there")
  func hundred() throws {
    #expect(try gate("100%").verdict(on: event(pairs: 0, lost: 3)) == .passes)
    #expect(try gate("100%").verdict(on: event(pairs: 0)) == .nothingJudged)
  }

  @Test("wants more for each further look, so that all looks together pass by chance as rarely as one")
  func looks() throws {
    #expect(try gate("0.1%", looks: 7).verdict(on: event(pairs: 2_995)) == .tooLittleEvidence(needed: 4_940))
    #expect(try gate("0.1%", looks: 7).verdict(on: event(pairs: 4_940)) == .passes)
    #expect(try gate("0.1%", looks: 7).description == "at most 0.1 % fail, with 95 % certainty over 7 looks")
  }

  @Test("judges event by event: many good ones do not outweigh a bad one")
  func byEvent() throws {
    var report = ParityReport(join: .eventID(parameter: nil))
    report.events = [event(pairs: 1_000_000), event(pairs: 10, differing: 10)]
    let judgement = try gate("1%").judgement(on: report)
    #expect(!judgement.passes && judgement.failures.count == 1)
    #expect(judgement.footnotes.last == "gate: 1 of 2 event names pass: at most 1 % fail, with 95 % certainty")
  }

  @Test("lets no broken line pass that is not allowed, and no report of nothing")
  func broken() {
    var report = ParityReport(join: .eventID(parameter: nil))
    #expect(!ParityGate().judgement(on: report).passes)
    report.events = [event(pairs: 1)]
    #expect(ParityGate().judgement(on: report).passes)
    report.new.malformed = 2
    #expect(!ParityGate(maximumMalformed: 1).judgement(on: report).passes)
    #expect(ParityGate(maximumMalformed: 2).judgement(on: report).passes)
  }
}
