/// Orders object members by UTF-16 code units (RFC 8785, section 3.2.3), decided on the UTF-8 bytes.
///
/// The first eight bytes of most keys tell them apart, and comparing two integers is much cheaper than comparing strings
/// that have to be retained and opened for it.
struct SortKey {
  private let prefix: UInt64
  private let place: Dictionary<String, EventValue>.Index

  /// The places of all members in canonical order.
  static func sorted(_ members: [String: EventValue]) -> [Dictionary<String, EventValue>.Index] {
    var keys: [SortKey] = []
    keys.reserveCapacity(members.count)
    for place in members.indices { keys.append(SortKey(prefix: prefix(of: members[place].key), place: place)) }
    keys.sort { left, right in
      if left.prefix != right.prefix { return left.prefix < right.prefix }
      return precedesInUTF16(members[left.place].key, members[right.place].key)
    }
    return keys.map(\.place)
  }

  /// The ranks of the first eight bytes; a shorter key counts as if it ended with zeros.
  private static func prefix(of key: String) -> UInt64 {
    var prefix: UInt64 = 0
    var shift: UInt64 = 64
    for byte in key.utf8.prefix(8) {
      shift -= 8
      prefix |= UInt64(utf16Rank(byte)) << shift
    }
    return prefix
  }
}

/// Whether `left` sorts before `right` by UTF-16 code units (RFC 8785, section 3.2.3), decided on the UTF-8 bytes.
package func precedesInUTF16(_ left: String, _ right: String) -> Bool {
  left.utf8.lexicographicallyPrecedes(right.utf8) { utf16Rank($0) < utf16Rank($1) }
}

/// Where a byte of UTF-8 ranks in the order of UTF-16.
///
/// The two orders differ only between characters outside the BMP (lead bytes F0…F4, surrogates in UTF-16) and
/// U+E000…U+FFFF (lead bytes EE and EF), which UTF-16 puts after the surrogates.
private func utf16Rank(_ byte: UInt8) -> UInt8 {
  switch byte {
  case ..<0xEE: byte
  case 0xEE, 0xEF: byte + 5
  default: byte - 2
  }
}
