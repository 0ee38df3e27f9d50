import DualSendCore
import DualSendParity
import DualSendStatistics
import Foundation

/// The counts for one bound, of one event or of several together.
package struct GuardSeries: Sendable, Hashable {
  /// The identity of the series across looks.
  let key: String
  /// The event, or the patterns of events that are judged together.
  package let subject: String
  package let bound: GuardPolicy.Bound
  package let failures: Int
  package let trials: Int
  /// The logarithm of the evidence that the share is below its limit.
  package let logBelow: Double
  /// The logarithm of the evidence that the share is above its limit.
  package let logAbove: Double

  init(key: String, subject: String, bound: GuardPolicy.Bound, failures: Int, trials: Int) {
    (self.key, self.subject, self.bound) = (key, subject, bound)
    (self.failures, self.trials) = (failures, trials)
    if bound.limit == .none {
      // A limit of 0 is never shown, and one failure breaks it.
      (logBelow, logAbove) = failures == 0 ? (.infinity, 0) : (-.infinity, .infinity)
    } else {
      let test = SequentialRateTest(bound: bound.limit.fraction)
      logBelow = test.logEvidenceBelow(failures: failures, of: trials)
      logAbove = test.logEvidenceAbove(failures: failures, of: trials)
    }
  }

  /// The counts in words: `3 of 4,000 differ, 0.1 % may`.
  package var counts: String {
    "`\(subject)`: \(failures.grouped) of \(trials.grouped) \(bound.measure.verb), \(bound.limit) may"
  }

  /// The series for the log.
  func json(breachFrom level: Double) -> EventValue {
    [
      "events": .string(subject), "of": .string(bound.measure.rawValue), "limit": .string(bound.limit.description),
      "failures": .int(Int64(failures)), "trials": .int(Int64(trials)),
      "logEvidenceBelow": Self.number(logBelow), "logEvidenceAbove": Self.number(logAbove),
      "breachFrom": Self.number(level),
    ]
  }

  /// Rounded to thousandths; `null` if infinite.
  private static func number(_ value: Double) -> EventValue {
    value.isFinite ? .double((value * 1000).rounded() / 1000) : .null
  }
}
