/// A histogram of the delays from the old event's time to the new event's.
///
/// Delays are truncated to three significant digits, so that memory is bounded and a quantile is exact to one percent.
/// Two histograms are equal if their quantiles are.
struct PairDelays: Sendable, Hashable {
  /// The quantiles that were read from a report, which does not have the delays.
  struct Read: Sendable, Hashable {
    var median: Int64??
    var late: Int64??
  }

  private var counts: [Int64: Int] = [:]
  var read = Read()

  init() {}

  /// Creates delays from a histogram.
  init(histogram: [(delay: Int64, count: Int)]) {
    counts = Dictionary(histogram.map { ($0.delay, $0.count) }, uniquingKeysWith: +)
  }

  /// The number of each truncated delay, sorted by delay.
  var histogram: [(delay: Int64, count: Int)] {
    counts.sorted { $0.key < $1.key }.map { (delay: $0.key, count: $0.value) }
  }

  /// The median in milliseconds, the lower of two; `nil` without delays.
  var median: Int64? { read.median ?? quantile(500) }

  /// The delay that 99.9 % do not exceed, in milliseconds; `nil` without delays.
  var late: Int64? { read.late ?? quantile(999) }

  /// The smallest delay that at least so many thousandths of all do not exceed.
  private func quantile(_ thousandths: Int) -> Int64? {
    let total = counts.values.reduce(0, +)
    var running = 0
    for (delay, count) in counts.sorted(by: { $0.key < $1.key }) {
      running += count
      if 1000 * running >= thousandths * total { return delay }
    }
    return nil
  }

  /// - Parameter delay: in milliseconds; negative if the new event is earlier.
  mutating func add(_ delay: Int64) {
    counts[Self.shortened(delay), default: 0] += 1
  }

  mutating func add(_ other: PairDelays) {
    counts.merge(other.counts) { $0 + $1 }
    // Quantiles cannot be merged.
    if other.read != Read() || read != Read() { read = Read(median: .some(nil), late: .some(nil)) }
  }

  /// Truncates to three significant digits.
  private static func shortened(_ delay: Int64) -> Int64 {
    var unit: Int64 = 1
    while delay.magnitude / unit.magnitude >= 1000 { unit *= 10 }
    return delay - delay % unit
  }

  static func == (left: PairDelays, right: PairDelays) -> Bool {
    (left.median, left.late) == (right.median, right.late)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(median)
    hasher.combine(late)
  }
}
