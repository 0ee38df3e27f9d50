import struct Foundation.Date

/// Writes values as canonical JSON (RFC 8785) straight into bytes.
///
/// Keys are sorted by UTF-16 code units, strings carry only the escapes that JSON demands, doubles have the shortest
/// digits that read back as the same double, in ECMAScript's layout. One deviation: an `Int64` outside ±2⁵³ is written
/// with all its digits, because rounding an identifier to a double would lose it.
package struct CanonicalJSONWriter {
  package var bytes: [UInt8] = []

  package init(capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
  }

  package mutating func value(_ value: EventValue) {
    switch value {
    case .null: raw("null")
    case .bool(let flag): raw(flag ? "true" : "false")
    case .int(let number): integer(number)
    case .double(let number): double(number)
    case .string(let text): string(text)
    case .array(let elements): array(elements)
    case .object(let members): object(members)
    case .date(let date): string(Timestamp.text(milliseconds: Timestamp.milliseconds(date)))
    }
  }

  package mutating func array(_ elements: [EventValue]) {
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      value(element)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  package mutating func object(_ members: [String: EventValue]) {
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    for (key, member) in members.sorted(by: { precedesInUTF16($0.key, $1.key) }) {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      string(key)
      bytes.append(UInt8(ascii: ":"))
      value(member)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  package mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      if utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
        for byte in utf8 { escaped(byte) }
      } else {
        bytes.append(contentsOf: utf8)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  package mutating func integer(_ number: Int64) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  package mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
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
      bytes.append(lowerHexDigits[Int(byte >> 4)])
      bytes.append(lowerHexDigits[Int(byte & 15)])
    default: bytes.append(byte)
    }
  }
}

extension EventValue {
  /// The value as canonical JSON (RFC 8785): equal values give equal bytes.
  ///
  /// A double that is not finite has no JSON form and is written as `null`; ``EventValueConverter`` reports and removes
  /// such values before they get here.
  public var canonicalJSON: [UInt8] {
    var writer = CanonicalJSONWriter()
    writer.value(self)
    return writer.bytes
  }
}

/// Whether `left` sorts before `right` by UTF-16 code units (RFC 8785, section 3.2.3), decided on the UTF-8 bytes.
///
/// The two orders differ only between characters outside the BMP (lead bytes F0…F4, surrogates in UTF-16) and
/// U+E000…U+FFFF (lead bytes EE and EF), which UTF-16 puts after the surrogates.
package func precedesInUTF16(_ left: String, _ right: String) -> Bool {
  var left = left
  var right = right
  return left.withUTF8 { left in
    right.withUTF8 { right in
      for index in 0..<min(left.count, right.count) where left[index] != right[index] {
        let (a, b) = (left[index], right[index])
        if a >= 0xEE, b >= 0xEE, (a >= 0xF0) != (b >= 0xF0) { return a >= 0xF0 }
        return a < b
      }
      return left.count < right.count
    }
  }
}
