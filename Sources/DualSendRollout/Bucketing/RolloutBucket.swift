/// One of the 100,000 equal parts into which a rollout divides all units. A bucket is a thousandth of a percent.
package struct RolloutBucket: Sendable, Hashable, Comparable {
  /// How many buckets there are.
  package static let count = 100_000

  /// The lowest bucket: the first to gain the new tracker and to lose the old logger.
  package static let first = RolloutBucket(hash: 0)

  /// The position, `0..<100_000`.
  package let index: Int

  /// Creates a bucket; `nil` unless the index is in `0..<100_000`.
  package init?(_ index: Int) {
    guard (0..<Self.count).contains(index) else { return nil }
    self.index = index
  }

  /// Scales a hash to the range of buckets, in integers.
  init(hash: UInt32) {
    index = Int(truncatingIfNeeded: (UInt64(hash) * UInt64(Self.count)) >> 32)
  }

  /// Orders by position.
  package static func < (left: RolloutBucket, right: RolloutBucket) -> Bool {
    left.index < right.index
  }
}

/// Assigns units (installations or users) to buckets. The same salt and unit ID give the same bucket on every device.
///
/// `bucket = (UInt64(murmur3_x86_32(utf8(salt + ":" + unitID), seed: 0)) * 100_000) >> 32`
package struct RolloutBucketing: Sendable {
  /// Makes this rollout's buckets independent of other rollouts'. Another salt reshuffles all units.
  package let salt: String
  private let salted: Murmur3

  /// Creates a bucketing.
  package init(salt: String) {
    self.salt = salt
    var hash = Murmur3(seed: 0)
    hash.combine(salt)
    hash.combine(UInt8(ascii: ":"))
    salted = hash
  }

  /// The bucket of a unit. Allocates nothing.
  ///
  /// Hashes the ID's UTF-8 bytes: canonically equivalent spellings with different bytes are different units.
  package func bucket(of unitID: String) -> RolloutBucket {
    var hash = salted
    hash.combine(unitID)
    return RolloutBucket(hash: hash.finish())
  }
}

/// An incremental MurmurHash3, x86, 32 bits (Austin Appleby, public domain).
///
/// Combining several pieces gives the hash of their concatenation, so a salt and a unit ID need not be joined. A copy of the
/// state continues from the same prefix.
struct Murmur3: Sendable {
  private var state: UInt32
  /// The bytes since the last whole block, in little-endian order.
  private var tail: UInt32 = 0
  private var tailCount: UInt32 = 0
  private var length: UInt32 = 0

  init(seed: UInt32) {
    state = seed
  }

  mutating func combine(_ text: String) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { combine($0) }
    if isDone == nil {
      for byte in text.utf8 { combine(byte) }
    }
  }

  mutating func combine(_ byte: UInt8) {
    tail |= UInt32(byte) << (8 * tailCount)
    tailCount += 1
    length &+= 1
    if tailCount == 4 {
      mix(tail)
      tail = 0
      tailCount = 0
    }
  }

  mutating func combine(_ bytes: UnsafeBufferPointer<UInt8>) {
    let raw = UnsafeRawBufferPointer(bytes)
    let shift = 8 * tailCount
    var position = 0
    while raw.count - position >= 4 {
      let word = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt32.self))
      mix(tail | word << shift)
      // Swift's `>>` by 32 bits gives 0, the tail after a whole block.
      tail = word >> (32 - shift)
      position += 4
    }
    length &+= UInt32(truncatingIfNeeded: position)
    for byte in raw[position...] { combine(byte) }
  }

  func finish() -> UInt32 {
    var hash = state
    if tailCount > 0 { hash ^= Self.scrambled(tail) }
    hash ^= length
    hash ^= hash >> 16
    hash &*= 0x85EB_CA6B
    hash ^= hash >> 13
    hash &*= 0xC2B2_AE35
    hash ^= hash >> 16
    return hash
  }

  private mutating func mix(_ block: UInt32) {
    state ^= Self.scrambled(block)
    state = (state << 13 | state >> 19) &* 5 &+ 0xE654_6B64
  }

  private static func scrambled(_ block: UInt32) -> UInt32 {
    let product = block &* 0xCC9E_2D51
    return (product << 15 | product >> 17) &* 0x1B87_3593
  }
}
