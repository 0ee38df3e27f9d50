/// The one thing that the parser follows as deep as it goes: types of functions that return functions, `(A) -> (B) -> …`.
enum EndlessType {
  static let reason = "a type in it is nested deeper than anybody writes it"

  private static let maximumArrows = 10_000

  /// Whether so many arrows follow each other, without anything between that ends a type.
  static func stands(in text: String) -> Bool {
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
