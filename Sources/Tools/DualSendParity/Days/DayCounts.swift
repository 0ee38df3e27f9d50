package import DualSendCore

/// What a comparison counts for a day, an event and a revision. Noise is not subtracted.
package struct DayCounts: Sendable, Hashable {
  /// Pairs, and events that only one stream has, also those that were expected.
  package var events = 0
  package var pairs = 0
  /// Pairs that differ in a field or in the name.
  package var differing = 0
  package var lost = 0
  package var unexpected = 0
  package var undecided = 0
  /// See ``EventParity/judged``.
  package var judged = 0
  /// See ``EventParity/failingBeforeNoise``.
  package var failing = 0

  package init() {}

  /// The counts with their names in files, in the order of columns.
  package static let columns: [(name: String, count: any WritableKeyPath<DayCounts, Int> & Sendable)] = [
    ("events", \.events), ("pairs", \.pairs), ("differing", \.differing), ("lost", \.lost),
    ("unexpected", \.unexpected), ("undecided", \.undecided), ("judged", \.judged), ("failing", \.failing),
  ]

  package mutating func add(_ other: DayCounts, times factor: Int = 1) {
    for (_, count) in Self.columns { self[keyPath: count] += factor * other[keyPath: count] }
  }
}

extension EventParity {
  /// The counts that are kept by day.
  var dayCounts: DayCounts {
    var counts = DayCounts()
    counts.events = pairs + oldOnly + newOnly
    (counts.pairs, counts.differing) = (pairs, differingBeforeNoise)
    (counts.lost, counts.unexpected, counts.undecided) = (lost, unexpected, undecided)
    (counts.judged, counts.failing) = (judged, failingBeforeNoise)
    return counts
  }
}

/// The counts of a comparison by day, event and revision.
package struct DayTally: Sendable, Hashable {
  /// What one count is about.
  package struct Key: Sendable, Hashable {
    /// The UTC day of the old event, or of the new one if there is no old one, in days since 1970-01-01.
    package let day: Int64
    /// The old name.
    package let event: ExactText
    /// The rollout's revision in the decision that the event carries; `nil` if it carries none.
    package let revision: Int64?

    package init(day: Int64, event: String, revision: Int64?) {
      (self.day, self.event, self.revision) = (day, ExactText(event), revision)
    }
  }

  /// The most keys. Further events of a day share one.
  private static let maximumKeys = 100_000

  package private(set) var counts: [Key: DayCounts] = [:]
  /// The number of events without a time, which belong to no day.
  package private(set) var withoutTime = 0

  package init() {}

  init(counts: [Key: DayCounts], withoutTime: Int) {
    (self.counts, self.withoutTime) = (counts, withoutTime)
  }

  /// - Parameter time: in milliseconds since 1970; `nil` if unknown.
  mutating func add(_ added: DayCounts, at time: Int64?, event: String, revision: Int64?) {
    guard let time else { return withoutTime += added.events }
    let day = time.flooredQuotient(dividingBy: 86_400_000)
    var key = Key(day: day, event: event, revision: revision)
    if counts[key] == nil, counts.count >= Self.maximumKeys {
      key = Key(day: day, event: ParityReport.otherEvents, revision: nil)
    }
    counts[key, default: DayCounts()].add(added)
  }

  mutating func merge(_ other: DayTally) {
    counts.merge(other.counts) { own, added in
      var sum = own
      sum.add(added)
      return sum
    }
    withoutTime += other.withoutTime
  }

  /// Counts some events under another name.
  mutating func fold(into name: String, _ isFolded: (ExactText) -> Bool) {
    for (key, count) in counts where isFolded(key.event) {
      counts[key] = nil
      counts[Key(day: key.day, event: name, revision: key.revision), default: DayCounts()].add(count)
    }
  }
}

extension DayTally.Key: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    if left.day != right.day { return left.day < right.day }
    if left.event != right.event { return String.byteOrder(left.event.text, right.event.text) }
    return (left.revision ?? .min) < (right.revision ?? .min)
  }
}

extension Int64 {
  /// The quotient, rounded down.
  fileprivate func flooredQuotient(dividingBy divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
