/// Makes text from outside fit for a terminal, a log, a workflow and a page.
///
/// A document, an event, a server or a file name may hold anything: escape sequences that a terminal obeys, line breaks
/// that forge another line, marks that turn the order of what follows (CVE-2021-42574), commands that a CI system takes
/// from a line that starts with `::`. All of that is written out, in the notation of JSON, so that what is escaped
/// inside a JSON text means the same as before.
public enum PrintableText {
  /// The most characters of one value.
  public static let valueLimit = 200
  /// The most characters of one line about something.
  public static let lineLimit = 600

  /// What a terminal, a log or a reader's eye would take for something else than a letter; `nil` for every other scalar.
  static func escaped(_ scalar: UnicodeScalar) -> String? {
    switch scalar.value {
    case 0x0A: "\\n"
    case 0x0D: "\\r"
    case 0x09: "\\t"
    // C0, DEL and C1; line and paragraph separators; bidirectional embeddings, overrides and isolates.
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069:
      "\\u" + String(String(0x10000 + scalar.value, radix: 16).dropFirst())
    default: nil
    }
  }

  /// Whether any byte could belong to something that is escaped; `false` for nearly every text there is.
  static func isPlain(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  /// Text of many lines made fit to be written: its line breaks stay, everything else is escaped, and no line is a
  /// command to a CI system.
  public static func lines(_ text: String) -> String {
    guard needsCare(text) else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map(line).joined(separator: "\n")
  }

  /// GitHub's runner obeys lines that start with `::` after white space, and `##[` wherever it stands.
  private static func line(_ line: Substring) -> String {
    var result = line.escapingControls
    let start = result.unicodeScalars.drop { $0.properties.isWhitespace }.prefix(2)
    if start.elementsEqual("::".unicodeScalars) {
      result.unicodeScalars.replaceSubrange(start.startIndex...start.startIndex, with: "\\u003a".unicodeScalars)
    }
    // Scalar by scalar: a mark that combines with a character does not hide it from the runner.
    result.unicodeScalars.replace("##[".unicodeScalars, with: "##\\u005b".unicodeScalars)
    return result
  }

  /// One pass over the bytes, for reports of many megabytes.
  private static func needsCare(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var last: UInt8 = 0
      for byte in bytes {
        switch byte {
        case 0x0A, 0x20...0x22, 0x24...0x39, 0x3B...0x7E: break
        // Of the many-byte characters, those of the blocks that hold something to escape.
        case 0x80...0x9F where last == 0xC2: return true
        case 0x80, 0x81: if last == 0xE2 { return true }
        case 0x3A where last != 0x3A: break
        case 0x23 where last != 0x23: break
        case 0..<0x20, 0x7F, 0x3A, 0x23: return true
        default: break
        }
        last = byte
      }
      return false
    }
  }
}

extension StringProtocol {
  /// The text on one line and of at most so many characters; of a longer one the start and the end stay.
  ///
  /// It may still hold an address with a secret; see ``hidingSecrets``.
  public func printable(limit: Int = PrintableText.valueLimit) -> String {
    if utf8.count <= limit, PrintableText.isPlain(self) { return String(self) }
    return bounded(limit).escapingControls
  }

  /// Everything that is not to be obeyed written out, line breaks included.
  fileprivate var escapingControls: String {
    if PrintableText.isPlain(self) { return String(self) }
    var result = ""
    for scalar in unicodeScalars {
      if let escape = PrintableText.escaped(scalar) {
        result += escape
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private func bounded(_ limit: Int) -> String {
    // A character has at least one byte, so a short text need not be counted.
    guard utf8.count > limit, case let count = unicodeScalars.count, count > limit else { return String(self) }
    let shown = limit / 4
    let start = String(String.UnicodeScalarView(unicodeScalars.prefix(limit - shown)))
    let end = String(String.UnicodeScalarView(unicodeScalars.suffix(shown)))
    return "\(start) … (\(count - limit) characters) … \(end)"
  }
}
