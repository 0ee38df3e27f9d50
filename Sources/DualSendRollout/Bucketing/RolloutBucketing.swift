/// Puts units (installations or users) into buckets, the same for the same salt, on every device and for ever.
///
/// `bucket = (UInt64(murmur3_x86_32(utf8(salt + ":" + unitID), seed: 0)) * 100_000) >> 32`
public struct RolloutBucketing: Sendable {
  /// What keeps this rollout's buckets apart from any other's. Another salt reshuffles everybody.
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
  /// The ID's UTF-8 bytes count: two spellings of the same text in Unicode are two units.
  public func bucket(of unitID: String) -> RolloutBucket {
    var hash = salted
    hash.combine(unitID)
    return RolloutBucket(hash: hash.finish())
  }
}
