/// What a row says of its events besides their bodies.
struct RowPlace: Equatable {
  /// The sequence of the row's last event.
  let sequence: Int64
  /// How many events it holds.
  let count: Int64

  /// Whether the row's checksum was made in this place.
  func fits(_ checksum: Int64) -> Bool {
    BodyChecksum.row(BodyChecksum.body(in: checksum), at: self) == checksum
  }
}

/// A checksum of an event's body. Detects accidental damage; not a defence against tampering.
///
/// Processes eight bytes per multiplication, four in parallel, because it runs for every event that is stored or read.
enum BodyChecksum {
  /// The odd constant of Knuth's multiplicative hashing for 64 bits: 2⁶⁴ divided by the golden ratio.
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The upper 32 bits of the state, which depend on all other bits; small numbers take less space in a row. Part of
  /// the file format.
  static func of(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    var state = UInt64(bytes.count)
    var offset = 0
    if bytes.count >= 32 {
      // Four independent sums with different starts, so that equal words do not cancel out.
      var (first, second, third, fourth) = (
        state, state &+ multiplier, state &+ 2 &* multiplier, state &+ 3 &* multiplier
      )
      while offset + 32 <= bytes.count {
        first = mixed(first, word(of: bytes, at: offset))
        second = mixed(second, word(of: bytes, at: offset + 8))
        third = mixed(third, word(of: bytes, at: offset + 16))
        fourth = mixed(fourth, word(of: bytes, at: offset + 24))
        offset += 32
      }
      // Combined in sequence: with a symmetric combination, equal changes in two sums could cancel out.
      state = mixed(mixed(mixed(mixed(state, first), second), third), fourth)
    }
    while offset + 8 <= bytes.count {
      state = mixed(state, word(of: bytes, at: offset))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    state = mixed(state, rest)
    return Int64(state >> 32)
  }

  /// A row's checksum: the body's in the lower 32 bits, and above it 15 bits that also depend on the row's place.
  ///
  /// Without the place, a wrong `sequence` or `events` would let other rows count as wrong.
  static func of(_ bytes: UnsafeRawBufferPointer, at place: RowPlace) -> Int64 {
    row(of(bytes), at: place)
  }

  /// The row's checksum for a body's.
  static func row(_ body: Int64, at place: RowPlace) -> Int64 {
    let state = mixed(
      mixed(UInt64(bitPattern: body), UInt64(bitPattern: place.sequence)), UInt64(bitPattern: place.count))
    return body | Int64(state >> 49) << 32
  }

  /// The body's part of a row's checksum.
  static func body(in checksum: Int64) -> Int64 { checksum & 0xFFFF_FFFF }

  @inline(__always)
  private static func word(of bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  private static func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word) &* multiplier
    return product ^ product >> 32
  }
}
