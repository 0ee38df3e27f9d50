package import DualSendCore
import Foundation

/// The shape of a line: its keys, containers, kinds of scalars, and the value of `name`.
///
/// A line with the shape of a parsed line is also valid JSON, about the same event, with the same keys.
package struct LineShape: Hashable, Sendable {
  private var hash = TextHash()

  /// - Parameter line: one line of an old log. The result is `nil` if a scalar is invalid; other errors are the same
  ///   for all lines with the shape.
  package init?(_ line: UnsafeBufferPointer<UInt8>) {
    var position = 0
    var depth = 0
    var isName = false
    while position < line.count {
      let byte = line[position]
      if byte.isJSONWhitespace {
        position += 1
        continue
      }
      guard let end = line.endOfScalar(at: position) else {
        // Brackets and braces differ in one bit.
        if byte | 0x20 == UInt8(ascii: "{") { depth += 1 }
        if byte | 0x20 == UInt8(ascii: "}") { depth -= 1 }
        hash.add(byte)
        position += 1
        continue
      }
      let text = UnsafeBufferPointer(rebasing: line[position..<end])
      let isKey = byte == UInt8(ascii: "\"") && line.isColonNext(from: end)
      guard isKey || ScalarText(text).isScalar else { return nil }
      if isKey || isName { hash.add(text) } else { hash.add(Self.kind(of: text)) }
      isName = isKey && depth == 1 && text.spells("\"name\"")
      position = end
    }
  }

  /// A letter for the kind of scalar. Integers that may not fit `Int64` are another kind.
  private static func kind(of text: UnsafeBufferPointer<UInt8>) -> UInt8 {
    switch text[0] {
    case UInt8(ascii: "\""): UInt8(ascii: "s")
    case UInt8(ascii: "t"), UInt8(ascii: "f"): UInt8(ascii: "b")
    case UInt8(ascii: "n"): UInt8(ascii: "n")
    default:
      text.count < 19 && text.allSatisfy { $0 == UInt8(ascii: "-") || $0.isDigit }
        ? UInt8(ascii: "i") : UInt8(ascii: "d")
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

// MARK: - Scalar text

extension UnsafeBufferPointer<UInt8> {
  /// Whether both hold the same bytes.
  package func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let left = baseAddress, let right = other.baseAddress else { return true }
    return memcmp(left, right, count) == 0
  }

  /// Whether the bytes are those of the word.
  package func spells(_ word: StaticString) -> Bool {
    hasSameBytes(as: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  /// Whether all bytes are printable ASCII without a backslash, so that a JSON string needs no decoding.
  package var isPlainText: Bool {
    allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
  }
}

/// The text of a scalar in a line, including quotes.
package struct ScalarText {
  package let bytes: UnsafeBufferPointer<UInt8>

  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Whether the text is certainly valid JSON: a string of plain ASCII, a short number, or a literal.
  ///
  /// A string was delimited by its quotes, so there are none inside.
  package var isPlain: Bool {
    switch bytes.first ?? 0 {
    case UInt8(ascii: "\""): text.isPlainText
    case UInt8(ascii: "0")...UInt8(ascii: "9"): integer != nil || isDecimal
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): literal != nil
    default: false
    }
  }

  /// Whether the text is a valid JSON scalar.
  package var isScalar: Bool { isPlain || value != nil }

  /// The value; `nil` if the text is not a valid JSON scalar.
  package var value: EventValue? {
    switch bytes.first ?? 0 {
    case UInt8(ascii: "\"") where text.isPlainText: return .string(String(decoding: text, as: UTF8.self))
    case UInt8(ascii: "{"), UInt8(ascii: "["): return nil
    default: break
    }
    return integer.map { .int($0) } ?? literal ?? (try? JSONReader().value(bytes))
  }

  private var text: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes.dropFirst().dropLast())
  }

  /// The integer, if the text has at most 18 digits and nothing else.
  private var integer: Int64? {
    guard bytes.count < 19, let first = bytes.first, first != UInt8(ascii: "0") || bytes.count == 1 else { return nil }
    var number: Int64 = 0
    for byte in bytes {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      number = number * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return number
  }

  /// Whether the text is an integer with a fraction, at most 18 bytes in all.
  private var isDecimal: Bool {
    guard let point = bytes.firstIndex(of: UInt8(ascii: ".")), bytes.count < 19 else { return false }
    let fraction = bytes[(point + 1)...]
    return ScalarText(UnsafeBufferPointer(rebasing: bytes[..<point])).integer != nil && !fraction.isEmpty
      && fraction.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private var literal: EventValue? {
    if bytes.spells("true") { return .bool(true) }
    if bytes.spells("false") { return .bool(false) }
    return bytes.spells("null") ? .null : nil
  }
}
