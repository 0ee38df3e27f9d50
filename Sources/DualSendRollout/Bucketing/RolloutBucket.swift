/// One of the 100,000 equal parts that a rollout divides all units into; one bucket is a thousandth of a percent.
public struct RolloutBucket: Sendable, Hashable, Comparable {
  /// How many buckets there are.
  public static let count = 100_000

  /// The lowest bucket: new reaches it first, old leaves it first.
  public static let first = RolloutBucket(hash: 0)

  /// The position, `0..<100_000`.
  public let index: Int

  /// Creates a bucket; `nil` unless the index is in `0..<100_000`.
  public init?(_ index: Int) {
    guard (0..<Self.count).contains(index) else { return nil }
    self.index = index
  }

  /// The bucket in which a hash falls: the hash's range scaled to the buckets, in integers.
  init(hash: UInt32) {
    index = Int((UInt64(hash) * UInt64(Self.count)) >> 32)
  }

  /// Orders by position.
  public static func < (left: RolloutBucket, right: RolloutBucket) -> Bool {
    left.index < right.index
  }
}
