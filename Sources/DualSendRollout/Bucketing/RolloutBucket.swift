/// One of the 100,000 equal parts into which a rollout divides all units. A bucket is a thousandth of a percent.
public struct RolloutBucket: Sendable, Hashable, Comparable {
  /// How many buckets there are.
  public static let count = 100_000

  /// The lowest bucket: the first to gain the new tracker and to lose the old logger.
  public static let first = RolloutBucket(hash: 0)

  /// The position, `0..<100_000`.
  public let index: Int

  /// Creates a bucket; `nil` unless the index is in `0..<100_000`.
  public init?(_ index: Int) {
    guard (0..<Self.count).contains(index) else { return nil }
    self.index = index
  }

  /// Scales a hash to the range of buckets, in integers.
  init(hash: UInt32) {
    index = Int((UInt64(hash) * UInt64(Self.count)) >> 32)
  }

  /// Orders by position.
  public static func < (left: RolloutBucket, right: RolloutBucket) -> Bool {
    left.index < right.index
  }
}
