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
