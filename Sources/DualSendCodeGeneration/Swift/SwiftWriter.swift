import DualSendCore

/// Writes indented code.
struct SwiftWriter {
  private(set) var text = ""
  private var indent = 0

  /// Writes a line. Empty lines have no spaces.
  mutating func line(_ line: String = "") {
    if !line.isEmpty { text += String(repeating: "  ", count: indent) + line }
    text += "\n"
  }

  /// Writes a block with an opening and a closing line; an empty block on one line.
  mutating func block(_ opening: String, closing: String = "}", _ body: (inout SwiftWriter) -> Void) {
    var inner = SwiftWriter()
    inner.indent = indent + 1
    body(&inner)
    if inner.text.isEmpty {
      line(opening + closing)
      return
    }
    line(opening)
    text += inner.text
    line(closing)
  }

  /// Writes a documentation comment of several paragraphs. Empty ones are left out.
  ///
  /// Each line break starts a new comment line, and invisible characters are escaped, so that no text can end the
  /// comment.
  mutating func documentation(_ paragraphs: String...) {
    let text = paragraphs.filter { !$0.isEmpty }.joined(separator: "\n\n")
    guard !text.isEmpty else { return }
    for line in PrintableText.lines(SpecificationText.trimmed(text)).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      self.line(line.isEmpty ? "///" : "/// " + line)
    }
  }

  /// Writes a comment of one line.
  mutating func comment(_ text: String) {
    line("// " + text.printable(limit: PrintableText.lineLimit))
  }

  /// Writes a memberwise initializer.
  mutating func initializer(_ access: String, _ properties: [(name: String, type: String)]) {
    if properties.isEmpty {
      line("\(access)init() {}")
      return
    }
    call("\(access)init", properties.map { "\($0.name): \($0.type)" }, closing: ") {")
    for property in properties { line("  self.\(property.name) = \(property.name)") }
    line("}")
  }

  /// Writes a call, on one line if it fits.
  mutating func call(_ function: String, _ arguments: [String], closing: String = ")") {
    let oneLine = function + "(" + arguments.joined(separator: ", ") + closing
    if arguments.isEmpty || (indent * 2 + oneLine.utf8.count <= 110 && !oneLine.contains("\n")) {
      line(oneLine)
      return
    }
    block(function + "(", closing: closing) { writer in
      for (index, argument) in arguments.enumerated() {
        let lines = argument.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
          let isEnd = number == lines.count - 1 && index < arguments.count - 1
          writer.line(String(line) + (isEnd ? "," : ""))
        }
      }
    }
  }
}

// MARK: - Swift literal

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
