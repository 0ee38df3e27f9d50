import DualSendCore
package import DualSendGuard
import DualSendParity

/// Simulates a policy on units whose events fail together, with the judgement that ``Guard`` uses.
package struct GuardSimulation: Sendable {
  /// What a run of a step ended in.
  package struct Outcome: Sendable, Hashable {
    package var runs = 0
    /// Runs that ended in the next step.
    package var advanced = 0
    /// Runs that ended in a broken bound.
    package var broken = 0
    /// The number of units that had logged something when a bound was broken, sorted.
    package var unitsUntilBroken: [Int] = []

    /// The number of units until a share of the runs broke a bound; `nil` if fewer runs did.
    package func unitsUntilBroken(in share: Double) -> Int? {
      let index = Int((share * Double(runs)).rounded(.up)) - 1
      return unitsUntilBroken.indices.contains(index) ? unitsUntilBroken[index] : nil
    }
  }

  private let policy: GuardPolicy
  private let units: Int
  private let eventsPerUnit: Int
  private let looks: Int

  /// - Parameters:
  ///   - policy: one with a single bound.
  ///   - looks: how often a run is judged, after equal numbers of events.
  package init(_ policy: GuardPolicy, units: Int, eventsPerUnit: Int, looks: Int) {
    (self.policy, self.units, self.eventsPerUnit, self.looks) = (policy, units, eventsPerUnit, looks)
  }

  /// Simulates runs, each until the guard acts. The units log in a random order, each all its events in the time of some looks.
  ///
  /// - Parameters:
  ///   - share: the chance that a unit fails, with each of its events.
  ///   - loud: the share of all events that one more unit logs, which fails always.
  package func run(_ runs: Int, share: Double, loud: Double = 0, seed: UInt64) throws -> Outcome {
    var random = SplitMix64(seed: seed)
    var outcome = Outcome(runs: runs)
    for _ in 0..<runs {
      let failing = (0..<units).map { _ in random.fraction() < share }
      try step(failing, loud: loud, &outcome)
    }
    outcome.unitsUntilBroken.sort()
    return outcome
  }

  private func step(_ failing: [Bool], loud: Double, _ outcome: inout Outcome) throws {
    var sample = UnitSample()
    var (pairs, differing, begun) = (0, 0, 0)
    func log(_ unit: Int, fails: Bool) {
      let outcome: UnitSample.Outcome = fails ? [.pair, .differing, .failing] : .pair
      sample.add(UnitSample.Trial(time: Int64(pairs), key: UInt64(pairs), outcome: outcome), of: UInt64(unit))
      pairs += 1
      if fails { differing += 1 }
    }
    for look in 1...looks {
      let end = units * look / looks
      for unit in begun..<end {
        for _ in 0..<eventsPerUnit { log(unit, fails: failing[unit]) }
      }
      let loudEvents = Double((end - begun) * eventsPerUnit) * loud / (1 - loud)
      for _ in 0..<Int(loudEvents.rounded()) { log(units, fails: true) }
      begun = end
      var report = ParityReport(join: .eventID(parameter: nil))
      report.events = [EventParity(name: "tap", pairs: pairs, differing: differing, units: sample)]
      let judgement = GuardJudgement(GuardEvidence(report, newest: 0), by: policy, seen: [])
      if !judgement.breaches.isEmpty {
        outcome.broken += 1
        return outcome.unitsUntilBroken.append(begun)
      }
      if judgement.reasonsToWait(at: 0).isEmpty { return outcome.advanced += 1 }
    }
  }
}
