package import DualSendCore
import Foundation

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
