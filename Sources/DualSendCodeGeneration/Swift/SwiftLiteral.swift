import DualSendCore

/// Swift literals for texts and raw values. No text can end a literal or a line.
public enum SwiftLiteral {
  /// A string literal with exactly the bytes of the text.
  public static func string(_ text: String) -> String {
    let isPlainASCII = text.utf8.allSatisfy {
      (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlainASCII { return "\"" + text + "\"" }
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      default:
        if isPlain(scalar) {
          literal.unicodeScalars.append(scalar)
        } else {
          literal += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        }
      }
    }
    return literal + "\""
  }

  /// Letters, digits, punctuation and symbols are written as they are; combining marks are escaped, so that editors do
  /// not compose them.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
    return switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .spaceSeparator, .lineSeparator, .paragraphSeparator, .control,
      .format, .surrogate, .privateUse, .unassigned:
      false
    default: true
    }
  }

  /// The raw value of an enumeration's case: a string or an integer.
  static func rawValue(_ value: EventValue) -> String {
    if case .string(let text) = value { string(text) } else { value.canonicalText }
  }
}
