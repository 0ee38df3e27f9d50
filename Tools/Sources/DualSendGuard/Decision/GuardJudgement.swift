package import DualSendCore
package import DualSendParity
import DualSendRollout
import DualSendStatistics
import Foundation

/// What the evidence of a step says of the bounds of a policy. Holds counts and names, never values.
///
/// All bounds that are required must be shown, so leaving a step wrongly has at most the chance α, however many bounds there
/// are. A breach is any one of them: the series of a step share α by weights 1/(k(k + 1)) in the order in which they were
/// first seen, which add up to at most 1 for any number of series.
package struct GuardJudgement: Sendable {
  /// The most series of a step.
  private static let maximumSeries = 50_000

  package let series: [GuardSeries]
  /// The keys of the series in the order in which they were first seen at this step.
  package let order: [String]
  private let levels: [String: Double]
  private let policy: GuardPolicy
  private let report: ParityReport

  /// - Parameter seen: the order after the look before.
  package init(_ report: ParityReport, by policy: GuardPolicy, seen: [String]) {
    var all: [GuardSeries] = []
    for (index, bound) in policy.bounds.enumerated() {
      func add(_ subject: String, _ count: (failures: Int, trials: Int)) {
        guard count.trials > 0, all.count < Self.maximumSeries else { return }
        all.append(
          GuardSeries(
            key: "\(index) \(subject)", subject: subject, bound: bound, failures: count.failures, trials: count.trials))
      }
      let events = report.events.filter { bound.covers($0.name) }
      if bound.isTogether {
        let sum = events.map(bound.measure.count).reduce((0, 0)) { ($0.0 + $1.failures, $0.1 + $1.trials) }
        add(bound.words, sum)
      } else {
        for event in events { add(event.name, bound.measure.count(in: event)) }
      }
    }
    var (order, known) = (seen, Set(seen))
    for one in all where known.insert(one.key).inserted { order.append(one.key) }
    let places = order.enumerated().map { index, key in (key, Double(index + 1)) }
    levels = Dictionary(places, uniquingKeysWith: { first, _ in first }).mapValues { place in
      ReproducibleMath.log(place * (place + 1) / policy.errorProbability)
    }
    (series, self.order, self.policy, self.report) = (all, order, policy, report)
  }

  /// The logarithm of the evidence that a series needs to stop the rollout.
  func breachLevel(of one: GuardSeries) -> Double { levels[one.key] ?? .infinity }

  /// The series whose share is shown to be above its limit.
  package var breaches: [GuardSeries] { series.filter { $0.logAbove >= breachLevel(of: $0) } }

  /// Why the next step has to wait; empty if it need not.
  package var reasonsToWait: [String] {
    var reasons: [String] = []
    if report.old.malformed + report.new.malformed > policy.maximumMalformed {
      reasons.append("\((report.old.malformed + report.new.malformed).counted("line")) cannot be read as events")
    }
    let contradicting = report.total.contradicting
    if contradicting > 0 {
      reasons.append("\(contradicting.counted("event")) carry a decision that their app cannot have made")
    }
    let level = -ReproducibleMath.log(policy.errorProbability)
    for (index, bound) in policy.bounds.enumerated() where bound.isRequired {
      let own = series.filter { $0.key.hasPrefix("\(index) ") }
      if own.isEmpty {
        reasons.append("nothing was judged of \(bound.words) (\(bound.measure.rawValue))")
      }
      let short = own.filter { $0.logBelow < level }
      if let worst = short.min(by: { ($0.logBelow, $1.subject) < ($1.logBelow, $0.subject) }) {
        let others = short.count > 1 ? ", and \((short.count - 1).grouped) more" : ""
        reasons.append("not shown yet: \(worst.counts)\(Self.rest(of: worst, level))\(others)")
      }
    }
    return reasons
  }

  /// How many more trials without another failure would do, if that is known to be soon.
  private static func rest(of one: GuardSeries, _ level: Double) -> String {
    guard one.failures == 0 else { return "" }
    let needed = SequentialRateTest(bound: one.bound.limit.fraction).trialsNeeded(level: level) - one.trials
    return " (\(needed.grouped) more without a failure would do)"
  }

  /// The series as the log has them, those that are shown least first.
  package func json(limit: Int = .max) -> EventValue {
    let sorted = series.sorted { ($0.logBelow, $0.key) < ($1.logBelow, $1.key) }
    return .array(sorted.prefix(limit).map { $0.json(breachFrom: breachLevel(of: $0)) })
  }
}

extension GuardPolicy.Bound {
  /// Which events, in words.
  var words: String { events.isEmpty ? "all events" : events.map(\.description).joined(separator: ", ") }
}
