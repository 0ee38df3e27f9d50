extension CanonicalJSONWriter {
  /// Writes a double as RFC 8785 requires: in the form of ECMAScript's `Number::toString` (ECMA-262, section
  /// 6.1.6.1.20).
  ///
  /// Swift's `description` has the same digits, the shortest that round-trip; only the layout differs.
  public mutating func double(_ number: Double) {
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
