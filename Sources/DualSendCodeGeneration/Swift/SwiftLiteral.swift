public import DualSendCore
import DualSendRemapping

import struct Foundation.Date

/// Swift literals for texts and values. No text can end a literal or a line.
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

  /// A literal of type `EventValue`.
  public static func eventValue(_ value: EventValue) -> String {
    switch value {
    case .null: ".null"
    case .bool(let flag): ".bool(\(flag))"
    case .int(let number): ".int(\(number))"
    case .uint(let number): ".uint(\(number))"
    case .double: ".double(\(value.canonicalText))"
    case .string(let text): ".string(\(string(text)))"
    case .array(let elements): ".array([" + elements.map(eventValue).joined(separator: ", ") + "])"
    case .object(let members): ".object(" + dictionary(members) + ")"
    case .date(let date):
      ".date(Date(timeIntervalSince1970: \(EventValue.double(date.timeIntervalSince1970).canonicalText)))"
    }
  }

  /// A dictionary of ``EventValue``s, sorted by the bytes of its keys.
  static func dictionary(_ members: [String: EventValue]) -> String {
    let pairs = members.sorted { String.byteOrder($0.key, $1.key) }.map { string($0.key) + ": " + eventValue($0.value) }
    return "[" + (pairs.isEmpty ? ":" : pairs.joined(separator: ", ")) + "]"
  }

  /// A literal of the native Swift type, if there is one, otherwise an ``EventValue``.
  static func value(_ value: EventValue, as type: ParameterType.Element?) -> String {
    switch (type, value) {
    case (.bool, .bool(let flag)): "\(flag)"
    case (.int, .int(let number)): "\(number)"
    case (.double, .double): value.canonicalText
    case (.string, .string(let text)): string(text)
    default: eventValue(value)
    }
  }

  /// A path for ``GeneratedRemapping``.
  static func path(_ pattern: KeyPathPattern) -> String {
    let steps = pattern.steps.map { step in
      switch step {
      case .key(let key): string(key)
      case .eachElement: ".each"
      }
    }
    return ".init(" + steps.joined(separator: ", ") + ")"
  }

  /// The conversion of a row for ``GeneratedConversion``.
  static func conversion(_ rule: ValueRule?) -> String {
    var arguments: [String] = []
    if let type = rule?.type { arguments.append("type: .\(type.rawValue)") }
    if let table = rule?.table { arguments.append("values: " + dictionary(table)) }
    if let fallback = rule?.fallback { arguments.append("default: " + eventValue(fallback)) }
    return "GeneratedConversion(" + arguments.joined(separator: ", ") + ")"
  }
}
