/// The delays of pairs: how often each was met, from the old event's time to the new one's.
///
/// A delay counts by its first three digits, so that the number of different ones stays bounded and the median is exact to
/// one percent. Two are equal if their medians are.
struct PairDelays: Sendable, Hashable {
  private var counts: [Int64: Int] = [:]
  /// What a report says from which the delays were read; the delays themselves are not known then.
  private var readMedian: Int64??

  init() {}

  /// The delays behind a median that was read.
  init(readMedian median: Int64?) {
    readMedian = .some(median)
  }

  /// The median in milliseconds, the lower of two; `nil` if no pair has both times.
  var median: Int64? {
    if let readMedian { return readMedian }
    let total = counts.values.reduce(0, +)
    var running = 0
    for (delay, count) in counts.sorted(by: { $0.key < $1.key }) {
      running += count
      if 2 * running >= total { return delay }
    }
    return nil
  }

  /// - Parameter delay: in milliseconds; below 0 if the new event has the earlier time.
  mutating func add(_ delay: Int64) {
    counts[Self.shortened(delay), default: 0] += 1
  }

  mutating func add(_ other: PairDelays) {
    counts.merge(other.counts) { $0 + $1 }
    // Medians cannot be put together.
    if other.readMedian != nil { readMedian = .some(nil) }
  }

  /// Cut towards zero to three digits.
  private static func shortened(_ delay: Int64) -> Int64 {
    var unit: Int64 = 1
    while delay.magnitude / unit.magnitude >= 1000 { unit *= 10 }
    return delay - delay % unit
  }

  static func == (left: PairDelays, right: PairDelays) -> Bool { left.median == right.median }

  func hash(into hasher: inout Hasher) { hasher.combine(median) }
}
