import DualSendCommandLine
import DualSendCore
import GuardSimulations
import Testing

@testable import DualSendGuard
@testable import DualSendParity

@Suite("A guard that counts units")
struct GuardUnitsTests {
  private static func event(_ name: String, _ outcomes: [(unit: UInt64, UnitSample.Outcome)]) -> EventParity {
    var event = EventParity(name: name, newName: name)
    for (index, outcome) in outcomes.enumerated() {
      let trial = UnitSample.Trial(time: Int64(index), key: UInt64(index), outcome: outcome.1)
      event.units.add(trial, of: outcome.unit)
      event[.judged] += 1
      if outcome.1.contains(.pair) { event[.pairs] += 1 }
      if outcome.1.contains(.failing) { event[.failingBeforeNoise] += 1 }
    }
    return event
  }

  private static func report(_ events: [EventParity]) -> ParityReport {
    var report = ParityReport(join: .eventID(parameter: nil))
    report.events = events
    return report
  }

  private static func policy(_ bound: String) throws -> GuardPolicy {
    try GuardPolicy(
      #"{"formatVersion": 1, "steps": [5, 25], "bounds": [\#(bound)]}"#.utf8)
  }

  private func judge(_ report: ParityReport, _ bound: String) throws -> GuardJudgement {
    GuardJudgement(GuardEvidence(report, newest: 0), by: try Self.policy(bound), seen: [])
  }

  @Test("is not moved by one loud device that is broken")
  func loud() throws {
    let quiet = (1...1_000).map { (unit: UInt64($0), UnitSample.Outcome.pair) }
    let broken = (0..<430).map { _ in (unit: UInt64(0), UnitSample.Outcome([.pair, .differing, .failing])) }
    let judgement = try judge(Self.report([Self.event("tap", broken + quiet)]), #"{"of": "failing", "limit": "1%"}"#)
    #expect(judgement.series.map(\.failures) == [1] && judgement.series.map(\.trials) == [1_001])
    #expect(judgement.breaches.isEmpty)
    #expect(judgement.series.first?.counts == "`tap`: 1 of 1,001 units fail, 1 % may")
  }

  @Test(
    "judges each measure by the first judged event of a unit",
    arguments: [
      ("mismatch", 1, 3), ("lost", 1, 4), ("lostFromOld", 1, 5), ("unexpected", 0, 4), ("failing", 2, 4),
    ])
  func measures(of: String, failures: Int, trials: Int) throws {
    let outcomes: [UnitSample.Outcome] = [
      .pair, .pair, [.pair, .differing, .failing], [.lostFromNew, .failing], [.lostFromOld, .failing],
    ]
    let event = Self.event("tap", outcomes.enumerated().map { (unit: UInt64($0.offset), $0.element) })
    let series = try judge(Self.report([event]), #"{"of": "\#(of)", "limit": "1%"}"#).series
    #expect(series.map(\.failures) == [failures] && series.map(\.trials) == [trials])
  }

  @Test("judges several events together by one event of each unit, not always by the first")
  func together() throws {
    let units = (0..<4_000).map { TextHash("unit \($0)").low }
    let failing = UnitSample.Outcome([.pair, .differing, .failing])
    // The launch never fails; the second name always does.
    let names = [("launch", UnitSample.Outcome.pair), ("tap", failing), ("cart", .pair)]
    let events = names.enumerated().map { index, name in
      var event = EventParity(name: name.0, newName: name.0)
      for unit in units {
        event.units.add(UnitSample.Trial(time: Int64(index), key: 0, outcome: name.1), of: unit)
      }
      event[.judged] = units.count
      return event
    }
    let series = try judge(Self.report(events), #"{"of": "failing", "limit": "1%", "together": true}"#).series
    let (failures, trials) = (series.first?.failures ?? 0, series.first?.trials ?? 0)
    // Of three names, 7/8 of the units have a turn, and a quarter of all units the second name.
    #expect(abs(trials - 3_500) < 150 && abs(failures - 1_000) < 150)
    #expect(series.first?.logAbove ?? 0 > 10)
  }

  /// `scripts/benchmark guard` makes the same runs in large.
  @Test(
    "errs in at most 5 % of the runs where all events of a unit fail together, and counting events does not",
    arguments: [(100, 20), (300, 10)])
  func together(units: Int, events: Int) throws {
    func outcome(_ sample: String, share: Double) throws -> GuardSimulation.Outcome {
      let policy = try GuardPolicy(
        #"{"formatVersion": 1, "steps": [5, 25], "units": "\#(sample)", "bounds": [{"of": "failing", "limit": "1%"}]}"#
          .utf8)
      return try GuardSimulation(policy, units: units, eventsPerUnit: events, looks: 8).run(60, share: share, seed: 5)
    }
    let byUnits = try outcome("units", share: 0.01)
    // 5 % of 60 are 3; a correct guard exceeds 9 in fewer than one of a thousand seeds.
    #expect(byUnits.advanced <= 9 && byUnits.broken <= 9, "\(byUnits)")
    let byEvents = try outcome("events", share: 0.01)
    #expect(byEvents.advanced > 9 || byEvents.broken > 9, "\(byEvents)")
    if units == 300 { #expect(try outcome("units", share: 0.1).broken == 60) }
  }

  @Test("one loud device of four hundred breaks nothing in any run")
  func loudRuns() throws {
    for (sample, broken) in [("units", 0), ("events", 10)] {
      let policy = try GuardPolicy(
        #"{"formatVersion": 1, "steps": [5, 25], "units": "\#(sample)", "bounds": [{"of": "failing", "limit": "1%"}]}"#
          .utf8)
      let outcome = try GuardSimulation(policy, units: 400, eventsPerUnit: 1, looks: 8)
        .run(10, share: 0.000_1, loud: 0.3, seed: 6)
      #expect(outcome.broken == broken)
    }
  }

  @Test("waits where no event names its unit, and where more than the limit do not")
  func withoutUnit() throws {
    var event = EventParity(name: "tap", newName: "tap")
    for index in 0..<10 {
      let trial = UnitSample.Trial(time: 0, key: UInt64(index), outcome: .pair)
      event.units.add(trial, of: nil)
      event[.judged] += 1
    }
    var reasons = try judge(Self.report([event]), #"{"of": "failing", "limit": "1%"}"#).reasonsToWait(at: 0)
    #expect(reasons.contains { $0.contains("give --unit-key") })
    #expect(reasons.contains { $0.contains("10 without a unit") })
    for unit in 0..<20_000 as Range<UInt64> {
      event.units.add(UnitSample.Trial(time: 0, key: unit, outcome: .pair), of: unit)
    }
    event[.judged] += 20_000
    reasons = try judge(Self.report([event]), #"{"of": "failing", "limit": "1%"}"#).reasonsToWait(at: 0)
    #expect(reasons.isEmpty, "\(reasons)")
  }
}
