package import DualSendCore
package import DualSendParity
import DualSendRollout
import Foundation

/// Judges the evidence of a step by the bounds of a policy. Has counts and names, never values.
///
/// All required bounds must be shown, so the chance to leave a step wrongly is at most α for any number of bounds. A
/// breach is any one broken bound: the series of a step share α by weights 1/(k(k + 1)) in the order in which they were
/// first seen, which add up to at most 1 for any number of series.
///
/// A unit fails at the first event that fails, and its later events do not change that. For a breach, all units count: the
/// outcomes so far are at most the final ones, and the evidence grows with failures. For the next step, a failure counts at
/// once, and a unit without one only after `maturity`. So the share is never too small as long as the units that fail show
/// it no later than the others are counted: half of the least active units must log an event within `maturity`.
///
/// The first units of a series are the most active ones. If they are half of all, and only they fail, then up to twice the
/// share of all units fails among them. So a series that is younger than `maturity` breaks twice the limit, and has a
/// quarter of its α for that.
package struct GuardJudgement: Sendable {
  /// The most series of a step.
  private static let maximumSeries = 50_000

  package let series: [GuardSeries]
  /// The keys of the series in the order in which they were first seen at this step.
  package let order: [String]
  private let levels: [String: Double]
  private let policy: GuardPolicy

  /// - Parameters:
  ///   - end: the end of the measured period, in milliseconds since 1970-01-01T00:00:00Z.
  ///   - seen: the ``order`` of the previous look.
  package init(_ evidence: GuardEvidence, by policy: GuardPolicy, at end: Int64, seen: [String]) {
    self.init(by: policy, at: end, seen: seen) { bound in
      evidence.counts(for: bound, of: policy.sample, watchedSince: end - policy.maturity)
    }
  }

  /// - Parameter counts: the counts of each series of a bound, with its subject.
  package init(
    by policy: GuardPolicy, at end: Int64, seen: [String],
    counts: (GuardPolicy.Bound) -> [(subject: String, count: TrialCount)]
  ) {
    var all: [GuardSeries] = []
    for (index, bound) in policy.bounds.enumerated() {
      for (subject, count) in counts(bound) {
        guard count.trials > 0, all.count < Self.maximumSeries else { continue }
        all.append(
          GuardSeries(
            key: "\(index) \(subject)", subject: subject, bound: bound, sample: policy.sample, count: count,
            isYoung: count.since.map { end - $0 < policy.maturity } ?? false))
      }
    }
    var (order, known) = (seen, Set(seen))
    for one in all where known.insert(one.key).inserted { order.append(one.key) }
    let places = order.enumerated().map { index, key in (key, Double(index + 1)) }
    levels = Dictionary(places, uniquingKeysWith: { first, _ in first }).mapValues { place in
      ReproducibleMath.log(place * (place + 1) / policy.errorProbability)
    }
    (series, self.order, self.policy) = (all, order, policy)
  }

  /// The logarithm of the evidence that a series needs to stop the rollout.
  func breachLevel(of one: GuardSeries) -> Double {
    let part = one.count.since == nil ? 1 : one.isYoung ? Self.youngPart : 1 - Self.youngPart
    return (levels[one.key] ?? .infinity) - ReproducibleMath.log(part)
  }

  /// The part of a series' α for the time when it is young.
  package static let youngPart = 0.25

  /// The series whose share is above the limit.
  package var breaches: [GuardSeries] { series.filter { $0.logAbove >= breachLevel(of: $0) } }

  /// The events of these series; `*` if they cannot be named.
  var failingEvents: [EventPattern] {
    let events = breaches.flatMap { series -> [EventPattern] in
      if series.bound.isTogether { return series.bound.events.isEmpty ? [.prefix("")] : series.bound.events }
      return [series.subject == ParityReport.otherEvents ? .prefix("") : .exact(series.subject)]
    }
    return Set(events).sorted { String.byteOrder($0.description, $1.description) }
  }

  /// The reasons to wait with the next step.
  ///
  /// - Parameters:
  ///   - evidence: what is judged.
  ///   - end: the end of the measured period.
  package func reasonsToWait(for evidence: GuardEvidence, at end: Int64) -> [String] {
    var reasons: [String] = []
    let report = evidence.report
    if !series.isEmpty {
      if let newest = evidence.newest {
        if end - newest > policy.maximumSilence {
          reasons.append("the evidence dried up: a stream has no event after \(Timestamp.text(milliseconds: newest))")
        }
      } else {
        reasons.append("one of the streams has no event of this step")
      }
    }
    for (stream, unit) in [("old", report.old.otherUnit), ("new", report.new.otherUnit)] {
      if let unit { reasons.append("the times of the \(stream) stream look like \(unit.rawValue), not milliseconds") }
    }
    if let unjudged = evidence.unjudged(policy.sample), unjudged.isAbove(policy.maximumUnjudged) {
      reasons.append("\(unjudged.text): at most \(policy.maximumUnjudged) may be (`maximumUnjudged`)")
    }
    let total = report.total
    if total.conflicting > 0 {
      reasons.append("\(total.conflicting.counted("repeated line")) with another name or payload")
    }
    if policy.sample == .units, total.judged > 0, report.events.allSatisfy(\.units.trials.isEmpty) {
      reasons.append("no judged event names its unit: give --unit-key, or let the policy say \"units\": \"events\"")
    }
    return reasons + unshown
  }

  /// The required bounds that are not shown, as reasons to wait.
  package var unshown: [String] {
    var reasons: [String] = []
    let level = -ReproducibleMath.log(policy.errorProbability)
    for (index, bound) in policy.bounds.enumerated() where bound.isRequired {
      let own = series.filter { $0.key.hasPrefix("\(index) ") }
      if own.isEmpty {
        reasons.append("nothing was judged of \(bound.words) (\(bound.measure.rawValue))")
      }
      let short = own.filter { $0.logBelow < level }
      if let worst = short.min(by: { ($0.logBelow, $1.subject) < ($1.logBelow, $0.subject) }) {
        let others = short.count > 1 ? ", and \((short.count - 1).grouped) more" : ""
        reasons.append("not shown yet: \(counts(of: worst))\(Self.rest(of: worst, level))\(others)")
      }
    }
    return reasons
  }

  /// What a series says for the next step: `1,204 units watched for a day or more, 0 failed`.
  func counts(of one: GuardSeries) -> String {
    guard one.count.since != nil else { return one.counts }
    let time = policy.maturity == 86_400_000 ? "a day" : GuardMoment.text(policy.maturity)
    return "`\(one.subject)`: \(one.count.watched.counted("unit")) watched for \(time) or more, "
      + "\(one.failures.grouped) failed, \(one.bound.limit) may"
  }

  /// What shows the required bounds: the one with the least evidence.
  var shown: String {
    let required = series.filter(\.bound.isRequired)
    guard let least = required.min(by: { ($0.logBelow, $1.subject) < ($1.logBelow, $0.subject) }) else { return "" }
    let others = required.count > 1 ? ", and \((required.count - 1).grouped) more series" : ""
    return counts(of: least) + others
  }

  /// The number of further trials without a failure that would suffice; empty after a failure.
  private static func rest(of one: GuardSeries, _ level: Double) -> String {
    guard one.failures == 0 else { return "" }
    let needed = SequentialRateTest(bound: one.bound.limit.fraction).trialsNeeded(level: level) - one.count.watched
    return " (\(needed.grouped) more without a failure would do)"
  }

  /// The series for the log, with the least evidence first.
  package func json(limit: Int = .max) -> EventValue {
    let sorted = series.sorted { ($0.logBelow, $0.key) < ($1.logBelow, $1.key) }
    return .array(sorted.prefix(limit).map { $0.json(breachFrom: breachLevel(of: $0)) })
  }
}

extension GuardPolicy.Bound {
  /// The bound as text: `failing of checkout.* together at most 0.1 %`.
  var summary: String {
    "\(measure.rawValue) of \(words)\(isTogether ? " together" : "") at most \(limit)"
      + (isRequired ? "" : " (only stops)")
  }

  /// The events as text.
  var words: String { events.isEmpty ? "all events" : events.map(\.description).joined(separator: ", ") }
}

// MARK: - Guard series

/// The counts for one bound, of one event or of several together.
package struct GuardSeries: Sendable, Hashable {
  let sample: GuardPolicy.Sample
  /// The identity of the series across looks.
  let key: String
  /// The event, or the patterns of events that are judged together.
  package let subject: String
  package let bound: GuardPolicy.Bound
  package let count: TrialCount
  /// Whether no unit was watched for `maturity`.
  let isYoung: Bool
  /// The logarithm of the evidence that the share is below its limit.
  package let logBelow: Double
  /// The logarithm of the evidence that the share is above its limit.
  package let logAbove: Double

  init(
    key: String, subject: String, bound: GuardPolicy.Bound, sample: GuardPolicy.Sample, count: TrialCount,
    isYoung: Bool
  ) {
    self.sample = sample
    (self.key, self.subject, self.bound) = (key, subject, bound)
    (self.count, self.isYoung) = (count, isYoung)
    if bound.limit == .none {
      // A limit of 0 is never shown, and one failure breaks it.
      (logBelow, logAbove) = count.failures == 0 ? (.infinity, 0) : (-.infinity, .infinity)
    } else {
      let limit = bound.limit.fraction
      logBelow = SequentialRateTest(bound: limit).logEvidenceBelow(failures: count.failures, of: count.watched)
      let broken = isYoung ? 2 * limit : limit
      logAbove =
        broken < 1
        ? SequentialRateTest(bound: broken).logEvidenceAbove(failures: count.failures, of: count.trials) : 0
    }
  }

  package var failures: Int { count.failures }
  package var trials: Int { count.trials }

  /// The counts in words: `3 of 4,000 units differ, 0.1 % may`.
  package var counts: String {
    "`\(subject)`: \(failures.grouped) of \(trials.grouped) \(sample.rawValue) \(bound.measure.verb), \(bound.limit) may"
  }

  /// The series for the log.
  func json(breachFrom level: Double) -> EventValue {
    [
      "events": .string(subject), "of": .string(bound.measure.rawValue),
      "units": .string(sample.rawValue), "limit": .string(bound.limit.description),
      "failures": .int(Int64(failures)), "trials": .int(Int64(trials)), "watched": .int(Int64(count.watched)),
      "logEvidenceBelow": Self.number(logBelow), "logEvidenceAbove": Self.number(logAbove),
      "breachFrom": Self.number(level),
    ]
  }

  /// Rounded to thousandths; `null` if infinite.
  private static func number(_ value: Double) -> EventValue {
    value.isFinite ? .double((value * 1000).rounded() / 1000) : .null
  }
}
