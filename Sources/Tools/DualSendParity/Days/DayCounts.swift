package import DualSendCore

/// A count that is kept by day, with its name in files, in the order of columns. Noise is not subtracted.
package enum DayCount: Int, Sendable, CaseIterable {
  /// Pairs, and events that only one stream has, also those that were expected.
  case events
  case pairs
  /// Pairs that differ in a field or in the name.
  case differing
  case lost, unexpected, undecided
  /// See ``ParityCount/judged``.
  case judged
  /// See ``ParityCount/failingBeforeNoise``.
  case failing

  package var name: String { "\(self)" }

  /// The counts whose sum it is.
  var parts: MatchVerdict {
    switch self {
    case .events: [.pairs, .oldOnly, .newOnly]
    case .pairs: [.pairs]
    case .differing: [.differingBeforeNoise]
    case .lost: [.lostFromNew, .lostFromOld]
    case .unexpected: [.unexpectedInOld, .unexpectedInNew]
    case .undecided: [.undecided]
    case .judged: [.judged]
    case .failing: [.failingBeforeNoise]
    }
  }
}

/// What a comparison counts for a day, an event and a revision.
package struct DayCounts: Sendable, Hashable {
  private static let parts = DayCount.allCases.map(\.parts)
  private var counts = [Int](repeating: 0, count: DayCount.allCases.count)

  package init() {}

  package subscript(count: DayCount) -> Int {
    get { counts[count.rawValue] }
    set { counts[count.rawValue] = newValue }
  }

  mutating func add(_ verdict: MatchVerdict) {
    for (index, parts) in Self.parts.enumerated() { counts[index] += verdict.number(of: parts) }
  }

  package mutating func add(_ other: DayCounts) {
    for count in counts.indices { counts[count] += other.counts[count] }
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

  private static let yearWithoutClock: Range<Int64> = 0..<31_536_000_000
  /// The most keys. Further events of a day share one.
  private static let maximumKeys = 100_000

  package private(set) var counts: [Key: DayCounts] = [:]
  /// The number of events without a time, which belong to no day.
  package private(set) var withoutTime = 0

  package init() {}

  init(counts: [Key: DayCounts], withoutTime: Int) {
    (self.counts, self.withoutTime) = (counts, withoutTime)
  }

  /// - Parameter time: in milliseconds since 1970; `nil` if unknown. A time of 1970 is that of a device without a clock, or is in
  ///   another unit, and counts as unknown.
  mutating func add(_ verdict: MatchVerdict, at time: Int64?, event: String, revision: Int64?) {
    guard let time, !Self.yearWithoutClock.contains(time) else { return withoutTime += 1 }
    let day = time.flooredQuotient(dividingBy: 86_400_000)
    var key = Key(day: day, event: event, revision: revision)
    if counts[key] == nil, counts.count >= Self.maximumKeys {
      key = Key(day: day, event: ParityReport.otherEvents, revision: nil)
    }
    counts[key, default: DayCounts()].add(verdict)
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
