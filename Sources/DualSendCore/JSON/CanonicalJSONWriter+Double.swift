extension CanonicalJSONWriter {
  /// Writes a double as RFC 8785 requires: in the form of ECMAScript's `Number::toString` (ECMA-262, section
  /// 6.1.6.1.20).
  ///
  /// Swift's `description` has the same digits, the shortest that round-trip; only the layout differs.
  public mutating func double(_ number: Double) {
    guard number.isFinite else { return raw("null") }
    if number == number.rounded(.towardZero), abs(number) <= 0x1p53 { return integer(Int64(number)) }
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    let text = number.magnitude.description
    if number != number.rounded(.towardZero), !text.utf8.contains(UInt8(ascii: "e")) {
      // A fraction without an exponent has the same layout in both languages.
      bytes.append(contentsOf: text.utf8)
      return
    }
    let (digits, pointPosition) = decimalDigits(text)
    switch pointPosition {
    case digits.count...21:
      bytes.append(contentsOf: digits)
      bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: pointPosition - digits.count))
    case 1..<max(2, digits.count):
      bytes.append(contentsOf: digits[..<pointPosition])
      bytes.append(UInt8(ascii: "."))
      bytes.append(contentsOf: digits[pointPosition...])
    case -5...0:
      raw("0.")
      bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: -pointPosition))
      bytes.append(contentsOf: digits)
    default:
      bytes.append(digits[0])
      if digits.count > 1 {
        bytes.append(UInt8(ascii: "."))
        bytes.append(contentsOf: digits[1...])
      }
      bytes.append(UInt8(ascii: "e"))
      if pointPosition > 0 { bytes.append(UInt8(ascii: "+")) }
      integer(Int64(pointPosition - 1))
    }
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
