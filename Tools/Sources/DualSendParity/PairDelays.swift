/// A histogram of the delays from the old event's time to the new event's.
///
/// Delays are truncated to three significant digits, so that memory is bounded and the median is exact to one percent.
/// Two histograms are equal if their medians are.
struct PairDelays: Sendable, Hashable {
  private var counts: [Int64: Int] = [:]
  /// The median read from a report, which does not have the delays.
  private var readMedian: Int64??

  init() {}

  /// Creates delays from a histogram.
  init(histogram: [(delay: Int64, count: Int)]) {
    counts = Dictionary(histogram.map { ($0.delay, $0.count) }, uniquingKeysWith: +)
  }

  /// The number of each truncated delay, sorted by delay.
  var histogram: [(delay: Int64, count: Int)] {
    counts.sorted { $0.key < $1.key }.map { (delay: $0.key, count: $0.value) }
  }

  /// Creates delays from a median that was read from a report.
  init(readMedian median: Int64?) {
    readMedian = .some(median)
  }

  /// The median in milliseconds, the lower of two; `nil` without delays.
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

  /// - Parameter delay: in milliseconds; negative if the new event is earlier.
  mutating func add(_ delay: Int64) {
    counts[Self.shortened(delay), default: 0] += 1
  }

  mutating func add(_ other: PairDelays) {
    counts.merge(other.counts) { $0 + $1 }
    // Medians cannot be merged.
    if other.readMedian != nil { readMedian = .some(nil) }
  }

  /// Truncates to three significant digits.
  private static func shortened(_ delay: Int64) -> Int64 {
    var unit: Int64 = 1
    while delay.magnitude / unit.magnitude >= 1000 { unit *= 10 }
    return delay - delay % unit
  }

  static func == (left: PairDelays, right: PairDelays) -> Bool { left.median == right.median }

  func hash(into hasher: inout Hasher) { hasher.combine(median) }
}
