/// Orders object members by UTF-16 code units (RFC 8785, section 3.2.3), comparing UTF-8 bytes.
///
/// The first eight bytes of most keys differ, and comparing integers is much cheaper than comparing strings.
struct SortKey<Value> {
  private let prefix: UInt64
  private let place: Dictionary<String, Value>.Index

  /// Calls `body` for all members in canonical order.
  @inline(__always)
  static func forEach(of members: [String: Value], _ body: (String, Value) -> Void) {
    withUnsafeTemporaryAllocation(of: SortKey.self, capacity: members.count) { memory in
      let (_, end) = memory.initialize(
        from: members.indices.lazy.map { SortKey(prefix: members[$0].key.withBytes(prefix), place: $0) })
      let keys = UnsafeMutableBufferPointer(rebasing: memory[..<end])
      defer { keys.deinitialize() }
      sort(keys) { left, right in
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        return precedesInUTF16(members[left.place].key, members[right.place].key)
      }
      for key in keys {
        let (name, value) = members[key.place]
        body(name, value)
      }
    }
  }

  /// Sorts few keys, as nearly all payloads have, in half the time that the standard library takes.
  @inline(__always)
  private static func sort(_ keys: UnsafeMutableBufferPointer<SortKey>, _ precedes: (SortKey, SortKey) -> Bool) {
    guard keys.count <= 32 else {
      var keys = keys
      return keys.sort(by: precedes)
    }
    for next in keys.indices.dropFirst() {
      let key = keys[next]
      var place = next
      while place > 0, precedes(key, keys[place - 1]) {
        keys[place] = keys[place - 1]
        place -= 1
      }
      keys[place] = key
    }
  }

  /// The ranks of the first eight bytes, padded with zeros.
  private static func prefix(of utf8: UnsafeBufferPointer<UInt8>) -> UInt64 {
    if utf8.count >= 8 {
      let word = UnsafeRawPointer(utf8.baseAddress.unsafelyUnwrapped).loadUnaligned(as: UInt64.self)
      // ASCII ranks as it is.
      if word & 0x8080_8080_8080_8080 == 0 { return UInt64(bigEndian: word) }
    }
    var prefix: UInt64 = 0
    for byte in utf8.prefix(8) { prefix = prefix << 8 | UInt64(utf16Rank(byte)) }
    return utf8.count < 8 ? prefix << UInt64(64 - 8 * utf8.count) : prefix
  }
}

extension String {
  /// Calls `body` with the text's UTF-8 bytes. Unlike `withUTF8`, it copies nothing but bridged strings.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = self
    return copy.withUTF8(body)
  }
}

/// Whether `left` sorts before `right` by UTF-16 code units (RFC 8785, section 3.2.3), decided on the UTF-8 bytes.
package func precedesInUTF16(_ left: String, _ right: String) -> Bool {
  left.utf8.lexicographicallyPrecedes(right.utf8) { utf16Rank($0) < utf16Rank($1) }
}

/// The rank of a UTF-8 byte in the order of UTF-16.
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
