import struct Foundation.Date

/// Writes values as canonical JSON (RFC 8785).
///
/// Keys are sorted by UTF-16 code units, strings have only the escapes that JSON requires, and doubles have the
/// shortest digits that round-trip. One deviation: an integer outside ±2⁵³ is written with all its digits, because
/// rounding would change an identifier.
package struct CanonicalJSONWriter: ~Copyable {
  /// Memory of its own, because an array checks for each byte whether it may be written.
  private var memory: UnsafeMutableBufferPointer<UInt8>
  private var count = 0

  /// Creates a writer and reserves `capacity` bytes.
  package init(capacity: Int = 0) {
    memory = .allocate(capacity: max(capacity, 64))
  }

  deinit {
    memory.deallocate()
  }

  /// The bytes written so far.
  package var bytes: [UInt8] { Array(memory[..<count]) }

  /// Appends a byte as it is.
  mutating func append(_ byte: UInt8) {
    reserve(1)
    memory[count] = byte
    count += 1
  }

  /// Appends bytes as they are.
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    append(atMost: bytes.count) { room in
      _ = room.update(fromContentsOf: bytes)
      return bytes.count
    }
  }

  /// Appends as many bytes as `body` says that it wrote.
  @inline(__always)
  mutating func append(atMost count: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
    reserve(count)
    self.count += body(UnsafeMutableBufferPointer(rebasing: memory[self.count...]))
  }

  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if memory.count - count < more { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(2 * memory.count, count + more))
    _ = larger.update(fromContentsOf: memory[..<count])
    memory.deallocate()
    memory = larger
  }

  /// Writes a value of any kind.
  package mutating func value(_ value: EventValue) {
    switch value {
    case .null: raw("null")
    case .bool(let flag): raw(flag ? "true" : "false")
    case .int(let number): integer(number)
    case .uint(let number): integer(number)
    case .double(let number): double(number)
    case .string(let text): string(text)
    case .array(let elements): array(elements)
    case .object(let members): object(members)
    case .date(let date): string(Timestamp.text(milliseconds: Timestamp.milliseconds(date)))
    }
  }

  /// Writes an array.
  package mutating func array(_ elements: [EventValue]) {
    append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { append(UInt8(ascii: ",")) }
      isFirst = false
      value(element)
    }
    append(UInt8(ascii: "]"))
  }

  /// Writes an object with its keys in canonical order.
  package mutating func object(_ members: [String: EventValue]) {
    object(members) { $1 }
  }

  /// Converts and writes a payload without an intermediate dictionary.
  package mutating func object(_ payload: [String: any Sendable], converting converter: inout EventValueConverter) {
    object(payload) { key, member in converter.convert(any: member, at: key) }
  }

  /// Writes the members for which `value` returns a value.
  @inline(__always)
  private mutating func object<Member>(_ members: [String: Member], _ value: (String, Member) -> EventValue?) {
    append(UInt8(ascii: "{"))
    var isFirst = true
    SortKey.forEach(of: members) { key, member in
      guard let member = value(key, member) else { return }
      if !isFirst { append(UInt8(ascii: ",")) }
      isFirst = false
      string(key)
      append(UInt8(ascii: ":"))
      self.value(member)
    }
    append(UInt8(ascii: "}"))
  }

  /// Writes a string with its quotes.
  package mutating func string(_ text: String) {
    text.withBytes { string($0) }
  }

  private mutating func string(_ utf8: UnsafeBufferPointer<UInt8>) {
    if utf8.mustBeEscaped {
      append(UInt8(ascii: "\""))
      for byte in utf8 { escaped(byte) }
      append(UInt8(ascii: "\""))
    } else {
      append(atMost: utf8.count + 2) { room in
        room[0] = UInt8(ascii: "\"")
        _ = room[1...].update(fromContentsOf: utf8)
        room[utf8.count + 1] = UInt8(ascii: "\"")
        return utf8.count + 2
      }
    }
  }

  /// Writes an integer with all its digits.
  package mutating func integer(_ number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    integer(number.magnitude)
  }

  /// Writes an integer with all its digits.
  package mutating func integer(_ number: UInt64) {
    // UInt64.max has 20 digits.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = number
      var start = digits.count
      repeat {
        start -= 1
        digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
      } while rest > 0
      append(UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  /// Writes JSON as it is.
  package mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { append($0) }
  }

  /// Writes JSON as it is.
  package mutating func raw(_ json: [UInt8]) {
    json.withUnsafeBufferPointer { append($0) }
  }

  private mutating func escaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): raw("\\\"")
    case UInt8(ascii: "\\"): raw("\\\\")
    case 0x08: raw("\\b")
    case 0x09: raw("\\t")
    case 0x0A: raw("\\n")
    case 0x0C: raw("\\f")
    case 0x0D: raw("\\r")
    case ..<0x20:
      raw("\\u00")
      append(lowerHexDigit(byte >> 4))
      append(lowerHexDigit(byte & 15))
    default: append(byte)
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the text has a character that JSON must escape: a quote, a backslash or a control character. Tests eight
  /// bytes at a time (Mycroft's test for a zero byte, and for one below a limit).
  fileprivate var mustBeEscaped: Bool {
    let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    var found: UInt64 = 0
    var offset = 0
    while offset + 8 <= count {
      let word = UnsafeRawPointer(baseAddress.unsafelyUnwrapped).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let quotes = word ^ ones &* UInt64(UInt8(ascii: "\""))
      let backslashes = word ^ ones &* UInt64(UInt8(ascii: "\\"))
      found |= (word &- ones &* 0x20) & ~word | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
      offset += 8
    }
    if found & highs != 0 { return true }
    return self[offset...].contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
  }
}

extension EventValue {
  /// The value as canonical JSON (RFC 8785): equal values give equal bytes.
  ///
  /// A non-finite double is written as `null`. ``EventValueConverter`` removes and reports such values first.
  package var canonicalJSON: [UInt8] {
    var writer = CanonicalJSONWriter()
    writer.value(self)
    return writer.bytes
  }
}

// MARK: - Numbers

extension CanonicalJSONWriter {
  /// Writes a double as RFC 8785 requires: in the form of ECMAScript's `Number::toString` (ECMA-262, section
  /// 6.1.6.1.20).
  ///
  /// Swift's `description` has the same digits, the shortest that round-trip; only the layout differs.
  package mutating func double(_ number: Double) {
    guard number.isFinite else { return raw("null") }
    if number == number.rounded(.towardZero), abs(number) <= 0x1p53 { return integer(Int64(number)) }
    if number < 0 { append(UInt8(ascii: "-")) }
    var text = number.magnitude.description
    if number != number.rounded(.towardZero), !text.utf8.contains(UInt8(ascii: "e")) {
      // A fraction without an exponent has the same layout in both languages.
      return text.withUTF8 { append($0) }
    }
    let (digits, pointPosition) = decimalDigits(text)
    switch pointPosition {
    case digits.count...21:
      append(digits[...])
      zeros(pointPosition - digits.count)
    case 1..<max(2, digits.count):
      append(digits[..<pointPosition])
      append(UInt8(ascii: "."))
      append(digits[pointPosition...])
    case -5...0:
      raw("0.")
      zeros(-pointPosition)
      append(digits[...])
    default:
      append(digits[0])
      if digits.count > 1 {
        append(UInt8(ascii: "."))
        append(digits[1...])
      }
      append(UInt8(ascii: "e"))
      if pointPosition > 0 { append(UInt8(ascii: "+")) }
      integer(Int64(pointPosition - 1))
    }
  }

  private mutating func append(_ digits: ArraySlice<UInt8>) {
    digits.withUnsafeBufferPointer { append($0) }
  }

  private mutating func zeros(_ count: Int) {
    for _ in 0..<count { append(UInt8(ascii: "0")) }
  }

  /// The significant digits `d₁d₂…` of a positive double's description, and the `n` for which it equals `0.d₁d₂… ×
  /// 10ⁿ`.
  private func decimalDigits(_ text: String) -> (digits: [UInt8], pointPosition: Int) {
    var digits: [UInt8] = []
    var pointPosition: Int?
    var exponent = 0
    if let mark = text.utf8.firstIndex(of: UInt8(ascii: "e")) {
      exponent = Int(text[text.utf8.index(after: mark)...]) ?? 0
    }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(byte)
      case UInt8(ascii: "."): pointPosition = digits.count
      default: break
      }
      if byte == UInt8(ascii: "e") { break }
    }
    let wholeDigits = pointPosition ?? digits.count
    // Just above 2⁵³ Swift still writes `….0`.
    while digits.count > wholeDigits, digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return (digits, wholeDigits + exponent)
  }
}

// MARK: - Sort key

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
