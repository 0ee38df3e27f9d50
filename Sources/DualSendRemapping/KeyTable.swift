/// A fixed dictionary from keys to small numbers, made once and asked for every key of every event.
///
/// `Dictionary` hashes to withstand hostile keys, which costs more than the rest of a rename. Here the keys are those of
/// a table, so a multiplicative hash over eight bytes at a time serves. Swift's strings are equal across normal forms;
/// any key outside ASCII therefore goes the ordinary way.
struct KeyTable: Sendable {
  private struct Slot: Sendable {
    var key = ""
    var number = -1
  }

  private var slots: [Slot]
  private let mask: Int
  private let numbers: [String: Int]
  private let isASCII: Bool

  init(_ numbers: [String: Int]) {
    self.numbers = numbers
    var size = 4
    while size < numbers.count * 2 { size *= 2 }
    slots = [Slot](repeating: Slot(), count: size)
    mask = size - 1
    isASCII = numbers.keys.allSatisfy { key in key.utf8.allSatisfy { $0 < 0x80 } }
    for (key, number) in numbers {
      guard var index = Self.hash(key).map({ $0 & mask }) else { continue }
      while slots[index].number >= 0 { index = (index + 1) & mask }
      slots[index] = Slot(key: key, number: number)
    }
  }

  /// The key's number; -1 if the key is not in the table.
  func number(of key: String) -> Int {
    guard isASCII, var index = Self.hash(key).map({ $0 & mask }) else { return numbers[key] ?? -1 }
    // At least half of the slots are free, so the search ends.
    while slots[index].number >= 0 {
      if slots[index].key == key { return slots[index].number }
      index = (index + 1) & mask
    }
    return -1
  }

  /// `nil` for a key outside ASCII.
  private static func hash(_ key: String) -> Int? {
    var key = key
    return key.withUTF8 { bytes -> Int? in
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
      return seen & 0x8080_8080_8080_8080 == 0 ? Int(truncatingIfNeeded: hash & 0x7FFF_FFFF) : nil
    }
  }
}
