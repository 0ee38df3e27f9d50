import DualSendCore
package import DualSendParity

/// The measurements of a step's events.
package struct GuardEvidence: Sendable {
  package var report: ParityReport
  /// What failed to be delivered, by event with the names of the report: hashes of units, or of ids.
  let deadLetters: [String: Set<UInt64>]
  /// The time of the newest event of the stream that ends first, in milliseconds since 1970-01-01T00:00:00Z; `nil` if a
  /// stream has no event.
  package let newest: Int64?
  /// The files of the look before whose lines are not there any more.
  let gone: [String]

  /// - Parameter deadLetters: hashes of units, or of ids, by new name.
  package init(
    _ report: ParityReport, deadLetters: [String: Set<UInt64>] = [:], newest: Int64?,
    gone: [String] = []
  ) {
    self.gone = gone
    var left = deadLetters
    var counts: [String: Set<UInt64>] = [:]
    for event in report.events {
      if let letters = left.removeValue(forKey: event.newName) { counts[event.name] = letters }
    }
    (self.report, self.newest) = (report, newest)
    self.deadLetters = counts.merging(left) { $0.union($1) }
  }
}

// MARK: - Counting

extension GuardEvidence {
  typealias Count = (failures: Int, trials: Int)

  /// The counts of each series of a bound, with its subject.
  func counts(for bound: GuardPolicy.Bound, of sample: GuardPolicy.Sample) -> [(subject: String, count: Count)] {
    let events = report.events.filter { bound.covers($0.name) }
    let letters = bound.measure == .deadLetters ? deadLetters.filter { bound.covers($0.key) } : [:]
    if bound.isTogether { return [(bound.words, together(events, letters, bound, sample))] }
    let named = events.map { event in
      (event.name, count([event], letters[event.name] ?? [], bound.measure, sample))
    }
    let unjudged = Set(letters.keys).subtracting(events.map(\.name)).sorted(by: String.byteOrder)
    return named + unjudged.map { ($0, count([], letters[$0] ?? [], bound.measure, sample)) }
  }

  private func count(
    _ events: [EventParity], _ letters: Set<UInt64>, _ measure: GuardPolicy.Measure, _ sample: GuardPolicy.Sample
  ) -> Count {
    var sum: Count
    switch sample {
    case .events:
      sum = events.map { measure.count(in: $0) }.reduce((0, 0)) { ($0.0 + $1.failures, $0.1 + $1.trials) }
    case .units: sum = measure.count(in: events.lazy.flatMap(\.units.trials.values))
    }
    if measure == .deadLetters { sum = (letters.count, max(sum.trials, letters.count)) }
    return sum
  }

  /// One count for several events. Of each unit, one of them counts.
  private func together(
    _ events: [EventParity], _ letters: [String: Set<UInt64>], _ bound: GuardPolicy.Bound, _ sample: GuardPolicy.Sample
  ) -> Count {
    let all = letters.values.reduce(into: Set()) { $0.formUnion($1) }
    guard sample == .units, events.count > 1 else {
      // An id is in one event, so no set is counted twice.
      return count(events, all, bound.measure, sample)
    }
    var firsts: [UInt64: UnitTurns] = [:]
    for event in events {
      for (unit, trial) in event.units.trials { firsts[unit, default: UnitTurns(of: unit)].add(trial) }
    }
    let sum = bound.measure.count(in: firsts.values.lazy.compactMap(\.chosen))
    return bound.measure == .deadLetters ? (all.count, max(sum.trials, all.count)) : sum
  }

  /// The lines and events that cannot be judged; `nil` without any.
  func unjudged(_ sample: GuardPolicy.Sample) -> Unjudged? {
    let total = report.total
    let parts = [
      (report.old.malformed + report.new.malformed, "unreadable"),
      (total.contradicting, "with a decision that their app cannot have made"),
      (sample == .units ? total.units.withoutUnit : 0, "without a unit"),
    ].filter { $0.0 > 0 }
    guard !parts.isEmpty else { return nil }
    let all = max(report.old.lines + report.new.lines, total.judged)
    return Unjudged(
      count: parts.map(\.0).reduce(0, +), all: all,
      text: "of \(all.counted("line")), " + parts.map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", "))
  }

  /// What cannot be judged, of how many lines.
  struct Unjudged {
    let count, all: Int
    /// Such as `of 40,000 lines, 3 unreadable`.
    let text: String

    func isAbove(_ limit: FailingLimit) -> Bool { Double(count) > limit.fraction * Double(all) }
  }
}

/// The turn of a unit's events in a bound that judges several together: of its first events of each name, in the order of
/// time, the first one has the chance 1/2, the second 1/4, and so on, by the hash of the unit.
///
/// A fixed first would judge only what every app logs at its launch. The choice is made before any outcome is seen.
private struct UnitTurns {
  private static let maximum = 8

  private let turn: Int
  /// The earliest, in order.
  private var earliest: [UnitSample.Trial] = []

  init(of unit: UInt64) {
    turn = min(unit.trailingZeroBitCount, Self.maximum - 1)
  }

  mutating func add(_ trial: UnitSample.Trial) {
    let place = earliest.firstIndex { UnitSample.Trial.precedes(trial, $0) } ?? earliest.count
    guard place <= turn else { return }
    earliest.insert(trial, at: place)
    if earliest.count > turn + 1 { earliest.removeLast() }
  }

  /// The event that stands for the unit; `nil` if it has not logged as many names yet.
  var chosen: UnitSample.Trial? { earliest.count > turn ? earliest[turn] : nil }
}

// MARK: - Guard measure

extension GuardPolicy.Measure {
  /// The number of failures, and of trials.
  fileprivate func count(in event: EventParity) -> GuardEvidence.Count {
    // What the old stream lacks says nothing of the new side: the old log's shipper may have stopped.
    let judged = event.judged - event.lostFromOld
    return switch self {
    case .mismatch: (event.differing, event.pairs)
    case .lost: (event.lostFromNew, judged)
    case .lostFromOld: (event.lostFromOld, event.judged)
    // An event that belongs in neither stream and is in both counts twice.
    case .unexpected: (min(event.unexpected, judged), judged)
    case .failing: (max(0, event.failing - event.lostFromOld), judged)
    case .deadLetters: (0, event.judged)
    }
  }

  /// The number of units that fail, and of units.
  fileprivate func count(in trials: some Sequence<UnitSample.Trial>) -> GuardEvidence.Count {
    trials.reduce(into: (0, 0)) { sum, trial in
      guard let fails = fails(trial.outcome) else { return }
      sum.1 += 1
      if fails { sum.0 += 1 }
    }
  }

  /// Whether the event that stands for a unit fails; `nil` if this measure does not judge it.
  private func fails(_ outcome: UnitSample.Outcome) -> Bool? {
    switch self {
    case .deadLetters: false
    case .lostFromOld: outcome.contains(.lostFromOld)
    case .mismatch: outcome.contains(.pair) ? outcome.contains(.differing) : nil
    case .lost, .unexpected, .failing:
      if outcome.contains(.lostFromOld) {
        nil
      } else {
        outcome.contains(self == .lost ? .lostFromNew : self == .unexpected ? .unexpected : .failing)
      }
    }
  }

  /// The verb of a sentence about failures: `3 of 4,000 differ`.
  var verb: String {
    switch self {
    case .mismatch: "differ"
    case .lost: "are lost"
    case .lostFromOld: "are lost from the old stream"
    case .unexpected: "are unexpected"
    case .failing: "fail"
    case .deadLetters: "are dead letters"
    }
  }
}
