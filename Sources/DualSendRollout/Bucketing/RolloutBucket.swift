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

/// Assigns units (installations or users) to buckets. The same salt and unit ID give the same bucket on every device.
///
/// `bucket = (UInt64(murmur3_x86_32(utf8(salt + ":" + unitID), seed: 0)) * 100_000) >> 32`
public struct RolloutBucketing: Sendable {
  /// Makes this rollout's buckets independent of other rollouts'. Another salt reshuffles all units.
  public let salt: String
  private let salted: Murmur3

  /// Creates a bucketing.
  public init(salt: String) {
    self.salt = salt
    var hash = Murmur3(seed: 0)
    hash.combine(salt)
    hash.combine(UInt8(ascii: ":"))
    salted = hash
  }

  /// The bucket of a unit. Allocates nothing.
  ///
  /// Hashes the ID's UTF-8 bytes: canonically equivalent spellings with different bytes are different units.
  public func bucket(of unitID: String) -> RolloutBucket {
    var hash = salted
    hash.combine(unitID)
    return RolloutBucket(hash: hash.finish())
  }
}
