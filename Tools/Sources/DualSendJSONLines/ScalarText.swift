package import DualSendCore
import Foundation

extension UnsafeBufferPointer<UInt8> {
  /// Whether both hold the same bytes.
  package func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let left = baseAddress, let right = other.baseAddress else { return true }
    return memcmp(left, right, count) == 0
  }

  /// Whether the bytes are exactly this word's.
  package func spells(_ word: StaticString) -> Bool {
    hasSameBytes(as: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  /// Whether every byte is printable ASCII and none a backslash: what stands in a JSON string means itself.
  package var isPlainText: Bool {
    allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
  }
}

/// The text of a scalar as it stands in a line, its quotes included.
package struct ScalarText {
  package let bytes: UnsafeBufferPointer<UInt8>

  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Whether the text is JSON beyond doubt: a string of plain ASCII, a short number, or a literal.
  ///
  /// A string is one that was found by its quotes, so that there is none in between.
  package var isPlain: Bool {
    switch bytes.first ?? 0 {
    case UInt8(ascii: "\""): text.isPlainText
    case UInt8(ascii: "0")...UInt8(ascii: "9"): integer != nil || isDecimal
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): literal != nil
    default: false
    }
  }

  /// Whether the text is JSON and no container.
  package var isScalar: Bool { isPlain || value != nil }

  /// The value; `nil` if it is no JSON, or a container.
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

  /// A number of at most 18 digits and nothing else.
  private var integer: Int64? {
    guard bytes.count < 19, let first = bytes.first, first != UInt8(ascii: "0") || bytes.count == 1 else { return nil }
    var number: Int64 = 0
    for byte in bytes {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      number = number * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return number
  }

  /// Whether it is an integer, a point, and digits, of at most 18 bytes.
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
