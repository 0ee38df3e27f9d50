/// What two lines must share to be a pair: 128 bits of hash, so that texts of any length cost the same.
///
/// Two different texts among 10⁹ meet with a probability below 10⁻²⁰.
struct JoinKey: Hashable, Comparable, BitwiseCopyable {
  private(set) var high: UInt64 = 0x9E37_79B9_7F4A_7C15
  private(set) var low: UInt64 = 0xC2B2_AE3D_27D4_EB4F

  /// Mixes a text in; the order and the borders of texts matter.
  mutating func add(_ bytes: some Collection<UInt8>) {
    var word: UInt64 = 0
    var count: UInt64 = 0
    for byte in bytes {
      word = word << 8 | UInt64(byte)
      count += 1
      if count & 7 == 0 { mix(word) }
    }
    mix(word)
    mix(count)
  }

  private mutating func mix(_ word: UInt64) {
    high = (high ^ word) &* 0xFF51_AFD7_ED55_8CCD
    high ^= high >> 32
    low = (low &+ word) &* 0xC4CE_B9FE_1A85_EC53
    low ^= low >> 29
  }

  static func < (left: JoinKey, right: JoinKey) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
