/// A 128-bit hash that identifies texts of any length.
///
/// For 10⁹ texts, the probability of a collision is below 10⁻²⁰.
package struct TextHash: Hashable, Comparable, BitwiseCopyable {
  @usableFromInline package var high: UInt64 = 0x9E37_79B9_7F4A_7C15
  @usableFromInline package var low: UInt64 = 0xC2B2_AE3D_27D4_EB4F

  @inlinable
  package init() {}

  /// The hash of one text.
  package init(_ text: String) {
    add(text)
  }

  /// Adds a text. The order and the boundaries of texts matter.
  @inlinable
  package mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
    let bytes = UnsafeRawBufferPointer(text)
    var position = 0
    while position + 8 <= bytes.count {
      mix(bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      position += 8
    }
    mix(bytes[position...].reduce(0) { $0 << 8 | UInt64($1) })
    mix(UInt64(bytes.count))
  }

  /// Adds the UTF-8 bytes of a text.
  package mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add($0) }
  }

  /// Adds a byte that is not part of a text.
  @inlinable
  package mutating func add(_ sign: UInt8) {
    mix(UInt64(sign))
  }

  /// The hash of some texts, as text.
  package static func mark(of texts: [[UInt8]]) -> String {
    var hash = TextHash()
    for text in texts { text.withUnsafeBufferPointer { hash.add($0) } }
    return String(hash.high, radix: 16) + "-" + String(hash.low, radix: 16)
  }

  @inlinable
  package static func < (left: TextHash, right: TextHash) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  @inlinable
  package mutating func mix(_ word: UInt64) {
    high = (high ^ word) &* 0xFF51_AFD7_ED55_8CCD
    high ^= high >> 32
    low = (low &+ word) &* 0xC4CE_B9FE_1A85_EC53
    low ^= low >> 29
  }
}
