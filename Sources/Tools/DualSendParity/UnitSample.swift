import DualSendCommandLine

/// The first judged event of each unit: events of one device fail together, so a bound of units counts each unit once.
///
/// First is the event of the smallest time, then of the smallest key, so that the order of lines does not matter. The choice
/// does not depend on whether the event fails. Takes about 40 bytes a unit.
package struct UnitSample: Sendable, Hashable {
  /// The outcome of one judged event.
  package struct Outcome: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Both streams have it.
    package static let pair = Outcome(rawValue: 1 << 0)
    package static let differing = Outcome(rawValue: 1 << 1)
    package static let lostFromNew = Outcome(rawValue: 1 << 2)
    package static let lostFromOld = Outcome(rawValue: 1 << 3)
    package static let unexpected = Outcome(rawValue: 1 << 4)
    /// Any failure, also those that have no word of their own here.
    package static let failing = Outcome(rawValue: 1 << 5)
  }

  /// The event that stands for a unit.
  package struct Trial: Sendable, Hashable {
    /// In milliseconds since 1970-01-01T00:00:00Z.
    package let time: Int64
    let key: UInt64
    package let outcome: Outcome

    package init(time: Int64, key: UInt64, outcome: Outcome) {
      (self.time, self.key, self.outcome) = (time, key, outcome)
    }

    package static func precedes(_ left: Trial, _ right: Trial) -> Bool {
      (left.time, left.key) < (right.time, right.key)
    }
  }

  /// By a hash of 64 bits of the unit's id, which no two of a million units share but by a chance of 1 in 37 million.
  package private(set) var trials: [UInt64: Trial] = [:]
  /// The number of judged events without a unit, which cannot be sampled.
  package private(set) var withoutUnit = 0

  package init() {}

  init(trials: [UInt64: Trial], withoutUnit: Int) {
    (self.trials, self.withoutUnit) = (trials, withoutUnit)
  }

  /// - Parameter unit: a hash of the unit's id; `nil` if the event has none.
  package mutating func add(_ trial: Trial, of unit: UInt64?) {
    guard let unit else { return withoutUnit += 1 }
    if let first = trials[unit], Trial.precedes(first, trial) { return }
    trials[unit] = trial
  }

  mutating func merge(_ other: UnitSample) {
    withoutUnit += other.withoutUnit
    trials.merge(other.trials) { Trial.precedes($1, $0) ? $1 : $0 }
  }
}

extension UnitSample.Outcome {
  private static let counts: [(outcome: Self, counts: MatchVerdict)] = [
    (.pair, [.pairs]), (.differing, [.differingBeforeNoise]), (.lostFromNew, [.lostFromNew]),
    (.lostFromOld, [.lostFromOld]), (.unexpected, [.unexpectedInOld, .unexpectedInNew]),
    (.failing, [.failingBeforeNoise]),
  ]

  /// The outcome of one event; `nil` if it was not judged.
  init?(_ verdict: MatchVerdict) {
    guard verdict.contains(.judged) else { return nil }
    self = []
    for (outcome, counts) in Self.counts where !verdict.isDisjoint(with: counts) { insert(outcome) }
  }
}
