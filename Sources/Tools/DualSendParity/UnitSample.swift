import DualSendCommandLine

/// The units of an event: the events of one device fail together, so a bound of units counts each unit once.
///
/// A unit fails if any of its events fails. The result does not depend on the order of lines. Takes about 45 bytes a unit.
package struct UnitSample: Sendable, Hashable {
  /// The outcomes of the judged events of a unit.
  package struct Outcome: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Both streams have an event.
    package static let pair = Outcome(rawValue: 1 << 0)
    package static let differing = Outcome(rawValue: 1 << 1)
    package static let lostFromNew = Outcome(rawValue: 1 << 2)
    package static let lostFromOld = Outcome(rawValue: 1 << 3)
    package static let unexpected = Outcome(rawValue: 1 << 4)
    /// Any failure but ``lostFromOld``, also those that have no word of their own here.
    package static let failing = Outcome(rawValue: 1 << 5)
    /// An event is not ``lostFromOld``, and so says something about the new side.
    package static let tellsOfNew = Outcome(rawValue: 1 << 6)
  }

  /// The judged events of a unit.
  package struct Trial: Sendable, Hashable {
    /// The time of the first one, in milliseconds since 1970-01-01T00:00:00Z.
    package private(set) var since: Int64
    /// Of all of them: never loses a failure.
    package private(set) var outcome: Outcome

    package init(since: Int64, outcome: Outcome) {
      (self.since, self.outcome) = (since, outcome)
    }

    mutating func add(_ other: Trial) {
      since = min(since, other.since)
      outcome.formUnion(other.outcome)
    }
  }

  /// By a hash of 64 bits of the unit's id, which no two of a million units share but by a chance of 1 in 37 million.
  package private(set) var trials: [UInt64: Trial] = [:]
  /// The number of judged events without a unit, which cannot be sampled.
  package var withoutUnit = 0

  package init() {}

  /// - Parameter unit: a hash of the unit's id; `nil` if the event has none.
  package mutating func add(_ trial: Trial, of unit: UInt64?) {
    guard let unit else { return withoutUnit += 1 }
    trials[unit, default: trial].add(trial)
  }

  package mutating func merge(_ other: UnitSample) {
    withoutUnit += other.withoutUnit
    for (unit, trial) in other.trials { add(trial, of: unit) }
  }
}

// MARK: - Counting

/// How many trials fail: of the units or events of one bound.
package struct TrialCount: Sendable, Hashable {
  package var failures = 0
  /// Everything that was judged.
  package var trials = 0
  /// The failures, and what was watched long enough without a failure.
  package var watched = 0
  /// When the first unit was judged first, in milliseconds since 1970-01-01T00:00:00Z; `nil` if events are counted.
  package var since: Int64?

  package init() {}
}

extension UnitSample {
  /// Counts units. A failure counts at once, and a unit without one is watched only after its time.
  ///
  /// - Parameters:
  ///   - judged: the outcomes of which a unit must have one; `nil` to count all.
  ///   - failing: the outcomes of which a unit that fails has one.
  ///   - time: a unit is watched long enough if its first event is not later, in milliseconds since 1970-01-01T00:00:00Z.
  package func count(judged: Outcome?, failing: Outcome, watchedSince time: Int64 = .max) -> TrialCount {
    trials.values.reduce(into: TrialCount()) { sum, trial in
      guard judged.map({ !trial.outcome.isDisjoint(with: $0) }) ?? true else { return }
      let fails = !trial.outcome.isDisjoint(with: failing)
      sum.trials += 1
      if fails { sum.failures += 1 }
      if fails || trial.since <= time { sum.watched += 1 }
      sum.since = min(sum.since ?? trial.since, trial.since)
    }
  }

  /// The units and those of them that fail; `nil` if the comparison did not sample units.
  var totals: UnitTotals? {
    guard !trials.isEmpty || withoutUnit > 0 else { return nil }
    let count = count(judged: nil, failing: [.failing, .lostFromOld])
    return UnitTotals(judged: count.trials, failing: count.failures, withoutUnit: withoutUnit)
  }
}

/// The units of an event in a report.
package struct UnitTotals: Sendable, Hashable {
  package var judged = 0
  package var failing = 0
  /// The number of judged events without a unit.
  package var withoutUnit = 0
}

extension UnitSample.Outcome {
  private static let counts: [(outcome: Self, counts: MatchVerdict)] = [
    (.pair, [.pairs]), (.differing, [.differingBeforeNoise]), (.lostFromNew, [.lostFromNew]),
    (.unexpected, [.unexpectedInOld, .unexpectedInNew]), (.failing, [.failingBeforeNoise]),
  ]

  /// The outcome of one event; `nil` if it was not judged.
  init?(_ verdict: MatchVerdict) {
    guard verdict.contains(.judged) else { return nil }
    self = verdict.contains(.lostFromOld) ? .lostFromOld : .tellsOfNew
    guard contains(.tellsOfNew) else { return }
    for (outcome, counts) in Self.counts where !verdict.isDisjoint(with: counts) { insert(outcome) }
  }
}
