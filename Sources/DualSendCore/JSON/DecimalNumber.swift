/// The digits and the exponent of a JSON number's text, independent of its notation. Used to detect lost digits.
///
/// The sign is ignored, because no conversion loses it.
struct DecimalNumber: Equatable {
  /// The digits without leading and trailing zeros; empty for zero.
  private var digits: [UInt8] = []
  /// The position of the decimal point, relative to the first digit.
  private var exponent = 0

  /// Whether reading and writing the number keeps its digits.
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

  /// - Parameter text: a valid JSON number.
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
    // An exponent beyond `Int` belongs to 0 or to a number that is refused.
    let power = Int(String(decoding: text, as: UTF8.self)) ?? 0
    exponent = exponent.addingReportingOverflow(power).partialValue
  }
}
