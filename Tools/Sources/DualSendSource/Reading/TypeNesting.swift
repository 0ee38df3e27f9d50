/// Detects types of functions that return functions, `(A) -> (B) -> …`, nested too deeply. The parser limits the depth
/// of everything else; many such arrows would overflow the stack.
enum TypeNesting {
  static let reason = "a type in it is nested too deep"

  private static let maximumArrows = 10_000

  /// Whether more arrows than the limit follow each other within one type.
  static func isTooDeep(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var (count, last): (Int, UInt8) = (0, 0)
      for byte in bytes {
        switch byte {
        case UInt8(ascii: ">") where last == UInt8(ascii: "-"):
          count += 1
          if count > maximumArrows { return true }
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "="), UInt8(ascii: ";"), UInt8(ascii: "\""): count = 0
        default: break
        }
        last = byte
      }
      return false
    }
  }
}
