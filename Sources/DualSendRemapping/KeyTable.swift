import DualSendCore

/// An immutable hash table from keys to small numbers, which is searched for each key of each event.
///
/// `Dictionary` uses a hash that resists hostile keys, which costs more than the rest of a rename, and also finds canonically
/// equivalent keys. The keys of a table are trusted, so this one uses a multiplicative hash and compares bytes.
struct KeyTable: Sendable {
  private struct Slot: Sendable {
    var key = ""
    var number = -1
  }

  /// The result for an ASCII key that is not in the table.
  static let unknown = -1
  /// The result for any other key that is not in the table. It may be canonically equivalent to another key.
  static let unknownBeyondASCII = -2

  private var slots: [Slot]
  private let mask: Int
  /// Whether every key is ASCII.
  let isASCII: Bool

  init(_ keys: some Collection<String>) {
    var size = 4
    while size < keys.count * 2 { size *= 2 }
    slots = [Slot](repeating: Slot(), count: size)
    mask = size - 1
    isASCII = keys.allSatisfy { key in key.utf8.allSatisfy { $0 < 0x80 } }
    for (number, key) in keys.enumerated() {
      var index = Self.hash(key).value & mask
      while slots[index].number >= 0 { index = (index + 1) & mask }
      slots[index] = Slot(key: key, number: number)
    }
  }

  /// The position of a key among the keys of `init`; ``unknown`` or ``unknownBeyondASCII`` if it is not one of them.
  func number(of key: String) -> Int {
    let (value, keyIsASCII) = Self.hash(key)
    var index = value & mask
    // At least half of the slots are free, so both searches end.
    if isASCII {
      // For ASCII, `==` compares the bytes and is faster than `isExactly`.
      guard keyIsASCII else { return Self.unknownBeyondASCII }
      while slots[index].number >= 0 {
        if slots[index].key == key { return slots[index].number }
        index = (index + 1) & mask
      }
      return Self.unknown
    }
    while slots[index].number >= 0 {
      if slots[index].key.isExactly(key) { return slots[index].number }
      index = (index + 1) & mask
    }
    return keyIsASCII ? Self.unknown : Self.unknownBeyondASCII
  }

  @inline(__always)
  private static func hash(_ key: String) -> (value: Int, isASCII: Bool) {
    var key = key
    return key.withUTF8 { bytes in
      var hash = UInt64(truncatingIfNeeded: bytes.count)
      var seen: UInt64 = 0
      var offset = 0
      while offset < bytes.count {
        var word: UInt64 = 0
        if offset + 8 <= bytes.count {
          word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        } else {
          for byte in bytes[offset...] { word = word << 8 | UInt64(byte) }
        }
        seen |= word
        hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 32
        offset += 8
      }
      return (Int(truncatingIfNeeded: hash & 0x7FFF_FFFF), seen & 0x8080_8080_8080_8080 == 0)
    }
  }
}
