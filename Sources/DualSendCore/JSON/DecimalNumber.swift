/// The digits and the magnitude that a JSON number's text means, whatever zeros, point and exponent it is written with.
///
/// The sign is left out: it is never what a conversion loses.
struct DecimalNumber: Equatable {
  /// Without zeros at either end; empty for zero.
  private var digits: [UInt8] = []
  /// How many places the point stands to the right of the first digit's left.
  private var exponent = 0

  /// Whether a number is written with the same digits after it was read.
  static func isKept(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let isPlain = text.allSatisfy { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    // A double keeps every decimal number of 15 digits.
    if isPlain, text.count <= 15 { return true }
    if isPlain, !text.contains(UInt8(ascii: ".")), EventValueBuilder.integer(text) != nil { return true }
    guard let double = Double(String(decoding: text, as: UTF8.self)) else { return false }
    var writer = CanonicalJSONWriter()
    writer.double(double)
    return writer.bytes.withUnsafeBufferPointer { DecimalNumber($0) } == DecimalNumber(text)
  }

  /// - Parameter text: a number as JSON allows it.
  private init(_ text: UnsafeBufferPointer<UInt8>) {
    let mark = text.firstIndex { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") } ?? text.endIndex
    var isFraction = false
    for byte in text[..<mark] {
      switch byte {
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "0") where digits.isEmpty: exponent -= isFraction ? 1 : 0
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits.append(byte)
        exponent += isFraction ? 0 : 1
      default: break
      }
    }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if mark < text.endIndex { shift(by: text[text.index(after: mark)...]) }
    if digits.isEmpty { exponent = 0 }
  }

  private mutating func shift(by text: Slice<UnsafeBufferPointer<UInt8>>) {
    // An exponent that no `Int` holds is that of 0, or of a number that is refused.
    let power = Int(String(decoding: text, as: UTF8.self)) ?? 0
    exponent = exponent.addingReportingOverflow(power).partialValue
  }
}
