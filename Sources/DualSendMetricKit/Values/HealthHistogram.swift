/// How often a measurement fell into each of several ranges.
public struct HealthHistogram: Sendable, Hashable {
  /// One range.
  public struct Bucket: Sendable, Hashable {
    /// Where the range starts.
    public let start: HealthQuantity
    /// Where the range ends.
    public let end: HealthQuantity
    /// How many measurements fell into it.
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

  /// Creates a histogram. ``minimum``, ``maximum`` and ``average`` leave out ranges whose unit measures something else
  /// than the first one's.
  public init(buckets: [Bucket]) {
    self.buckets = buckets
  }

  /// The unit of ``minimum``, ``maximum`` and ``average``.
  public var unit: HealthUnit {
    buckets.first?.end.unit ?? .none
  }

  /// How many measurements there were.
  public var count: Int64 {
    occupied.reduce(0) { $0.addingClamped($1.count) }
  }

  /// The start of the lowest range that has a measurement; `nil` if none has.
  public var minimum: Double? {
    occupied.compactMap { $0.start.value(in: unit) }.min()
  }

  /// The end of the highest range that has a measurement; `nil` if none has.
  public var maximum: Double? {
    occupied.compactMap { $0.end.value(in: unit) }.max()
  }

  /// The average of the ranges' ends, each weighted by its count: no measurement is made to look better than it was.
  /// `nil` if there is none.
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
  /// The sum, or the largest number there is: counts from outside may be anything.
  func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }
}
