import DualSendCore
import DualSendRollout
import DualSendStatistics
import Foundation

/// The course of a rollout by a policy at a given traffic: its duration, and when a fault is found.
///
/// Simulates the guard's tests with one look an hour. A bound for each event is judged by the rarest
/// event, and a bound for all events together by the whole traffic.
package struct GuardForecast: Sendable {
  /// The traffic, and the share of it that fails.
  package struct Traffic: Sendable, Hashable {
    /// The number of events a day if all units had the new tracker.
    package var eventsPerDay: Double
    /// The number of events a day of the rarest event with a bound of its own.
    package var rarestPerDay: Double
    package var units: Double
    /// The share of events of the new tracker that fail.
    package var fault: Double

    package init(eventsPerDay: Double, rarestPerDay: Double, units: Double, fault: Double) {
      (self.eventsPerDay, self.rarestPerDay) = (eventsPerDay, rarestPerDay)
      (self.units, self.fault) = (units, fault)
    }
  }

  /// The result of one run.
  package struct Run: Sendable, Hashable {
    /// The step at which it ended.
    package let step: Int
    package let hours: Int
    package let isCaught: Bool
    /// Whether the last step kept its bounds.
    package let isDone: Bool
    /// The share of all units that sent at least one event that failed.
    package let unitsMet: Double
  }

  private static let maximumHours = 366 * 24

  /// The runs, sorted by duration.
  package let runs: [Run]

  package init(of policy: GuardPolicy, _ traffic: Traffic, runs: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    self.runs = (0..<runs).map { _ in Self.run(policy, traffic, seed: random.next()) }
      .sorted { ($0.hours, $0.unitsMet) < ($1.hours, $1.unitsMet) }
  }

  /// The run at a quantile of the duration.
  package func quantile(_ share: Double) -> Run? {
    let index = Int((share * Double(runs.count)).rounded(.up)) - 1
    return runs.indices.contains(index) ? runs[index] : nil
  }

  private static func run(_ policy: GuardPolicy, _ traffic: Traffic, seed: UInt64) -> Run {
    var hours = 0
    var unitsMet = 0.0
    for (index, step) in policy.steps.enumerated() {
      let share = Double(step.percentage.thousandths) / 100_000
      var stay = Stay(policy, traffic, share: share, seed: seed &+ UInt64(index))
      let sinceStep = hours
      while true {
        hours += 1
        let settled = Int64(hours - sinceStep) * 3_600_000 > policy.settle
        if settled { stay.look() }
        let isCaught = settled && stay.isBroken
        // A unit is new to the fault as long as none of its events at this step has failed.
        let failing = traffic.fault * traffic.eventsPerDay / 24 / max(traffic.units, 1)
        let met = share * (1 - exp(-failing * Double(hours - sinceStep)))
        if isCaught || hours >= maximumHours {
          return Run(
            step: index, hours: hours, isCaught: isCaught, isDone: false, unitsMet: max(unitsMet, met))
        }
        let isHeld = Int64(hours - sinceStep) * 3_600_000 >= step.hold
        guard isHeld, stay.isShown else { continue }
        unitsMet = max(unitsMet, met)
        break
      }
    }
    return Run(step: policy.steps.count - 1, hours: hours, isCaught: false, isDone: true, unitsMet: unitsMet)
  }

  /// The bounds of a policy while one step holds.
  private struct Stay {
    private struct Series {
      let bound: GuardPolicy.Bound
      let breachLevel: Double
      let batch: Int
      var draws: BinomialDraws
      var failures = 0
      var trials = 0

      var now: GuardSeries {
        GuardSeries(key: "", subject: "", bound: bound, failures: failures, trials: trials)
      }
    }

    private var series: [Series]
    private let level: Double

    init(_ policy: GuardPolicy, _ traffic: Traffic, share: Double, seed: UInt64) {
      level = -ReproducibleMath.log(policy.errorProbability)
      series = policy.bounds.enumerated().map { index, bound in
        let daily = bound.isTogether ? traffic.eventsPerDay : traffic.rarestPerDay
        let batch = max(Int((daily * share / 24).rounded()), 0)
        let place = Double(index + 1)
        return Series(
          bound: bound, breachLevel: ReproducibleMath.log(place * (place + 1) / policy.errorProbability), batch: batch,
          draws: BinomialDraws(trials: batch, share: traffic.fault, seed: seed &* 31 &+ UInt64(index)))
      }
    }

    mutating func look() {
      for index in series.indices {
        series[index].failures += series[index].draws.next()
        series[index].trials += series[index].batch
      }
    }

    var isBroken: Bool { series.contains { $0.trials > 0 && $0.now.logAbove >= $0.breachLevel } }

    var isShown: Bool { series.allSatisfy { !$0.bound.isRequired || ($0.trials > 0 && $0.now.logBelow >= level) } }
  }
}
