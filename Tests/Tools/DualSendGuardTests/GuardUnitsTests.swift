import DualSendCommandLine
import DualSendCore
import GuardSimulations
import Testing

@testable import DualSendGuard
@testable import DualSendParity

@Suite("A guard that counts units", .timeLimit(.minutes(5)))
struct GuardUnitsTests {
  private static let day: Int64 = 86_400_000
  private static let failing = UnitSample.Outcome([.pair, .differing, .failing, .tellsOfNew])
  private static let good = UnitSample.Outcome([.pair, .tellsOfNew])

  /// An event with one trial a unit, at its time in days.
  private static func event(
    _ name: String = "tap", _ trials: some Sequence<(unit: UInt64, day: Double, outcome: UnitSample.Outcome)>
  ) -> EventParity {
    var event = EventParity(name: name, newName: name)
    for trial in trials {
      let time = Int64(trial.day * Double(day))
      event.units.add(UnitSample.Trial(since: time, outcome: trial.outcome), of: trial.unit)
      event[.judged] += 1
    }
    return event
  }

  private static func evidence(_ events: [EventParity]) -> GuardEvidence {
    var report = ParityReport(join: .eventID(parameter: nil))
    report.events = events
    return GuardEvidence(report, newest: 0)
  }

  private static func policy(_ bound: String, more: String = "") throws -> GuardPolicy {
    try GuardPolicy(#"{"formatVersion": 1, "steps": [5, 100], "bounds": [\#(bound)]\#(more)}"#.utf8)
  }

  private func judge(_ events: [EventParity], _ bound: String, day: Int64 = 2) throws -> GuardJudgement {
    GuardJudgement(Self.evidence(events), by: try Self.policy(bound), at: day * Self.day, seen: [])
  }

  @Test("counts a unit once, however many of its events fail, and for good")
  func once() throws {
    let events = (0..<1_430).map { index in
      (unit: UInt64(max(0, index - 429)), day: 0.0, outcome: index < 430 ? Self.failing : Self.good)
    }
    for events in [events, events.reversed()] {
      let judgement = try judge([Self.event("tap", events)], #"{"of": "failing", "limit": "1%"}"#)
      #expect(judgement.breaches.isEmpty)
      #expect(judgement.series.map(\.counts) == ["`tap`: 1 of 1,001 units fail, 1 % may"])
      #expect(
        judgement.series.map(judgement.counts) == ["`tap`: 1,001 units watched for a day or more, 1 failed, 1 % may"])
    }
  }

  @Test(
    "judges each measure by all events of a unit",
    arguments: [
      ("mismatch", 1, 3), ("lost", 1, 4), ("lostFromOld", 2, 5), ("unexpected", 0, 4), ("failing", 2, 4),
    ])
  func measures(of: String, failures: Int, trials: Int) throws {
    let outcomes: [UnitSample.Outcome] = [
      [Self.good, .lostFromOld], Self.good, Self.failing, [.lostFromNew, .failing, .tellsOfNew], .lostFromOld,
    ]
    let event = Self.event("tap", outcomes.enumerated().map { (UInt64($0.offset), 0, $0.element) })
    let series = try judge([event], #"{"of": "\#(of)", "limit": "1%"}"#).series
    #expect(series.map(\.failures) == [failures] && series.map(\.trials) == [trials])
  }

  @Test("counts a failure at once, and a good unit for the next step only when it was watched for a day")
  func maturity() throws {
    let units = (0..<1_000).map { (unit: UInt64($0), day: Double($0) / 500, outcome: Self.good) }
    let late = [(unit: UInt64(1_000), day: 2.0, outcome: Self.failing)]
    let judgement = try judge([Self.event("tap", units + late)], #"{"of": "failing", "limit": "1%"}"#)
    #expect(judgement.series.map(\.count.watched) == [502] && judgement.series.map(\.trials) == [1_001])
    #expect(judgement.unshown.first?.hasPrefix("not shown yet: `tap`: 502 units watched for a day or more, 1") == true)
  }

  @Test("a series that is younger than a day breaks twice its limit: its first units are the most active ones")
  func young() throws {
    let units = (0..<1_000).map { (unit: UInt64($0), day: 0.0, outcome: $0 < 30 ? Self.failing : Self.good) }
    for (hours, isBroken) in [(12, false), (24, true)] as [(Int64, Bool)] {
      let judgement = GuardJudgement(
        Self.evidence([Self.event("tap", units)]), by: try Self.policy(#"{"of": "failing", "limit": "1%"}"#),
        at: hours * 3_600_000, seen: [])
      #expect(judgement.breaches.isEmpty == !isBroken)
    }
  }

  @Test(
    "has the verdict of the parity gate on the same step",
    arguments: [(5_000, 0, true), (5_000, 20, true), (200, 0, false), (5_000, 60, false), (5_000, 500, false)])
  func sameVerdict(units: UInt64, failing: UInt64, passes: Bool) throws {
    let event = Self.event("tap", (0..<units).map { ($0, 0, $0 < failing ? Self.failing : Self.good) })
    #expect(try judge([event], #"{"of": "failing", "limit": "1%"}"#).unshown.isEmpty == passes)
    let gate = ParityGate(limit: try #require(FailingLimit("1%")))
    #expect((gate.verdict(on: event) == .passes) == passes)
  }

  // MARK: Stories

  /// The looks of a guard, every hour, at units with an event an hour that all are logged in each step.
  ///
  /// - Parameters:
  ///   - names: that a unit logs in order, over and over.
  ///   - fails: whether an event fails, by its hour in the step and its name.
  private func story(
    units: UInt64, names: Int = 1, _ bound: String, hours: Int, fails: @escaping @Sendable (Int, Int) -> Bool
  ) async throws -> [GuardDecision] {
    let world = GuardWorld(share: 5)
    let guardian = Guard(
      policy: try Self.policy(bound, more: #", "settle": "0s""#), document: world, memory: world,
      evidence: { period, _ in
        let hours = Int((period.upperBound - period.lowerBound) / 3_600_000)
        let events = (0..<names).map { name in
          Self.event(
            "step \(name)",
            stride(from: name, to: hours, by: names).lazy.flatMap { hour in
              (0..<units).lazy.map { unit in
                let day = Double(period.lowerBound) / Double(Self.day) + Double(hour) / 24
                return (unit, day, fails(hour, name) ? Self.failing : Self.good)
              }
            })
        }
        var evidence = Self.evidence(events)
        evidence.report.old.newest = period.upperBound
        return GuardEvidence(evidence.report, newest: period.upperBound)
      }, channels: [],
      clock: { GuardMoment(time: world.world.current.now, uptime: world.world.current.now) })
    for _ in 0..<hours where !(world.state()?.stopped != nil) {
      _ = try await guardian.look()
      world.advance(hours: 1)
    }
    return world.world.current.log.filter { $0.action != .wait }
  }

  @Test("stops where all is well for twelve hours, and then everything fails")
  func lateFault() async throws {
    let start: Int64 = 1_767_225_600_000
    let decisions = try await story(units: 1_000, #"{"of": "failing", "limit": "1%"}"#, hours: 80) { hour, _ in
      hour >= 12
    }
    #expect(decisions.map(\.action) == [.begin, .back])
    #expect(decisions.last.map { ($0.time - start) / 3_600_000 } == 13)
    #expect(decisions.last?.why == "`step 0`: 1,000 of 1,000 units fail, 1 % may")
  }

  @Test("stops where only the first event of each unit is good")
  func firstIsGood() async throws {
    let decisions = try await story(units: 1_000, #"{"of": "failing", "limit": "1%"}"#, hours: 80) { hour, _ in
      hour > 0
    }
    #expect(decisions.map(\.action) == [.begin, .back])
  }

  @Test("stops where only the last of the twelve names of a bound fails")
  func lastName() async throws {
    let bound = #"{"of": "failing", "limit": "1%", "together": true}"#
    let decisions = try await story(units: 1_628, names: 12, bound, hours: 80) { $1 == 11 }
    #expect(decisions.map(\.action) == [.begin, .back])
    #expect(decisions.last?.why.contains("1,628 of 1,628 units fail") == true)
  }

  @Test("says how long its units were watched when it goes on")
  func advances() async throws {
    let decisions = try await story(units: 400, #"{"of": "failing", "limit": "1%"}"#, hours: 60) { _, _ in false }
    #expect(decisions.map(\.action) == [.begin, .advance, .done])
    #expect(
      decisions.last?.why
        == "each bound is shown: `step 0`: 400 units watched for a day or more, 0 failed, 1 % may")
  }

  // MARK: Errors

  /// `scripts/benchmark guard` makes 400 runs of each, for 0.1 % too.
  @Test("errs in at most 5 % of the runs at the limit, whatever the fault is", arguments: GuardSimulation.Fault.all)
  func errors(_ fault: GuardSimulation.Fault) throws {
    let outcome = try GuardSimulation(limit: try #require(FailingLimit("1%")), units: 2_000, fault: fault)
      .run(25, share: 0.01, seed: 5)
    // 5 % of 25 is 1; a guard that errs in 5 % exceeds 5 in fewer than one of a hundred seeds.
    #expect(outcome.advanced.count <= 5 && outcome.broken.count <= 5, "\(outcome)")
    let twice = try GuardSimulation(limit: try #require(FailingLimit("1%")), units: 8_000, fault: fault)
      .run(4, share: 0.02, seed: 6)
    #expect(twice.advanced.isEmpty && twice.broken.count == 4, "\(twice)")
  }

  @Test("finds a fault of twice the limit within the time of the article, and lets a good step go on after two days")
  func power() throws {
    let limit = try #require(FailingLimit("1%"))
    let outcome = try GuardSimulation(limit: limit, units: 6_000, days: 6).run(40, share: 0.02, seed: 7)
    #expect((outcome.hoursUntilBroken(in: 0.9) ?? .max) <= 4 * 24, "\(outcome)")
    let good = try GuardSimulation(limit: limit, units: 2_000, days: 2).run(20, share: 0, seed: 8)
    #expect(good.advanced.count == 20 && good.advanced.allSatisfy { $0 <= 48 }, "\(good)")
  }

  @Test("waits where no event names its unit, and where more than the limit do not")
  func withoutUnit() throws {
    let bound = #"{"of": "failing", "limit": "1%"}"#
    var event = EventParity(name: "tap", newName: "tap")
    (event.units.withoutUnit, event[.judged]) = (10, 10)
    func reasons() throws -> [String] {
      try judge([event], bound).reasonsToWait(for: Self.evidence([event]), at: 0)
    }
    #expect(try reasons().contains { $0.contains("give --unit-key") })
    #expect(try reasons().contains { $0.contains("10 without a unit") })
    event = Self.event("tap", (0..<20_000).map { (UInt64($0), 0, Self.good) })
    (event.units.withoutUnit, event[.judged]) = (10, 20_010)
    #expect(try reasons() == [])
  }
}
