/// A histogram: the number of measurements in each of several ranges.
public struct HealthHistogram: Sendable, Hashable {
  /// A range.
  public struct Bucket: Sendable, Hashable {
    /// The start of the range.
    public let start: HealthQuantity
    /// The end of the range.
    public let end: HealthQuantity
    /// The number of measurements in the range.
    public let count: Int64

    /// Creates a range.
    public init(start: HealthQuantity, end: HealthQuantity, count: Int64) {
      self.start = start
      self.end = end
      self.count = count
    }
  }

  /// The ranges, in the order of the payload.
  public let buckets: [Bucket]

  /// Creates a histogram. ``minimum``, ``maximum`` and ``average`` ignore ranges whose unit has another dimension than
  /// the first one's.
  public init(buckets: [Bucket]) {
    self.buckets = buckets
  }

  /// The unit of ``minimum``, ``maximum`` and ``average``.
  public var unit: HealthUnit {
    buckets.first?.end.unit ?? .none
  }

  /// The number of measurements.
  public var count: Int64 {
    occupied.reduce(0) { $0.addingClamped($1.count) }
  }

  /// The start of the lowest range with a measurement; `nil` if there is none.
  public var minimum: Double? {
    occupied.compactMap { $0.start.value(in: unit) }.min()
  }

  /// The end of the highest range with a measurement; `nil` if there is none.
  public var maximum: Double? {
    occupied.compactMap { $0.end.value(in: unit) }.max()
  }

  /// The average of the ranges' ends, weighted by their counts: an upper bound of the real average. `nil` if there is
  /// none.
  public var average: Double? {
    let ends = occupied.compactMap { bucket in
      bucket.end.value(in: unit).map { (end: $0, count: Double(bucket.count)) }
    }
    let total = ends.reduce(0) { $0 + $1.count }
    let sum = ends.reduce(0) { $0 + $1.end * $1.count }
    return total > 0 && sum.isFinite ? sum / total : nil
  }

  private var occupied: [Bucket] {
    buckets.filter { $0.count > 0 }
  }
}

extension Int64 {
  /// The sum, clamped to `Int64`.
  func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }
}
