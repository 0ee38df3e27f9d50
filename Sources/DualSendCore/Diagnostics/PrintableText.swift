/// Escapes untrusted text for a terminal, a log, a CI workflow and a page.
///
/// A document, an event, a server or a file name may hold escape sequences, line breaks that forge a log line,
/// bidirectional controls (CVE-2021-42574), or commands that a CI system reads from a line that starts with `::`. They
/// are escaped as in JSON, so that escapes inside a JSON text keep their meaning.
package enum PrintableText {
  /// The most characters of one value.
  package static let valueLimit = 200
  /// The most characters of one line of a message.
  package static let lineLimit = 600

  /// The escape of a control or formatting character; `nil` for every other scalar.
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

  /// Whether the text is printable ASCII, so that nothing needs an escape. True of nearly every text.
  static func isPlain(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  /// Escapes a text of several lines. Line breaks stay, and no line is a command to a CI system.
  package static func lines(_ text: String) -> String {
    guard needsCare(text) else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map(line).joined(separator: "\n")
  }

  /// GitHub's runner reads commands from lines that start with `::` after white space, and from `##[` anywhere.
  private static func line(_ line: Substring) -> String {
    var result = line.escapingControls
    let start = result.unicodeScalars.drop { $0.properties.isWhitespace }.prefix(2)
    if start.elementsEqual("::".unicodeScalars) {
      result.unicodeScalars.replaceSubrange(start.startIndex...start.startIndex, with: "\\u003a".unicodeScalars)
    }
    // Compares scalars: a combining mark does not hide the command from the runner.
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
        // The lead bytes of multi-byte characters that may need an escape.
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
  /// The text on one line, with controls escaped. If it is longer than `limit`, its start and end are kept.
  ///
  /// It may still hold a URL with a secret; see ``hidingSecrets``.
  package func printable(limit: Int = PrintableText.valueLimit) -> String {
    if utf8.count <= limit, PrintableText.isPlain(self) { return String(self) }
    return bounded(limit).escapingControls
  }

  /// The text with every control character escaped, line breaks included.
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

// MARK: - Hidden secrets

extension String {
  /// Replaces the user, the password and the query values of every URL in the text with `…`.
  ///
  /// These parts may hold tokens, and messages end up in logs and on screens.
  package var hidingSecrets: String {
    guard holdsAddress else { return self }
    var result = ""
    var rest = self[...]
    while let mark = rest.firstRange(of: "://") {
      result += rest[..<mark.upperBound]
      let end = rest[mark.upperBound...].firstIndex { $0.endsAddress } ?? rest.endIndex
      result += Self.hidingSecrets(inAddress: rest[mark.upperBound..<end])
      rest = rest[end...]
    }
    return result + rest
  }

  /// One pass over the bytes, for texts of many megabytes.
  private var holdsAddress: Bool {
    var text = self
    return text.withUTF8 { bytes in
      var matched = 0
      let mark = Array("://".utf8)
      for byte in bytes {
        matched = byte == mark[matched] ? matched + 1 : byte == mark[0] ? 1 : 0
        if matched == mark.count { return true }
      }
      return false
    }
  }

  /// - Parameter address: what follows `://`.
  private static func hidingSecrets(inAddress address: Substring) -> String {
    let authority = address.prefix { !"/?#".contains($0) }
    let port = authority.drop { $0 != ":" }.dropFirst()
    // Also detects a password that contains a slash, although such a URL is not valid.
    let isBroken = !authority.hasPrefix("[") && !port.allSatisfy(\.isNumber)
    if let at = (isBroken ? address : authority).lastIndex(of: "@") {
      let place = address[address.index(after: at)...]
      // Without a host this is a placeholder, such as `https://USER:PASSWORD@…`.
      return place == "…" ? String(address) : "…@" + hidingSecrets(inAddress: place)
    }
    let place = address.prefix { $0 != "?" && $0 != "#" }
    let query = address[place.endIndex...].prefix { $0 != "#" }
    return place + hidingValues(in: query) + (query.endIndex < address.endIndex ? "#…" : "")
  }

  private static func hidingValues(in query: Substring) -> String {
    guard query.first == "?" else { return "" }
    let parts = query.dropFirst().split(separator: "&", omittingEmptySubsequences: false).map { part in
      part.firstIndex(of: "=").map { part[...$0] + "…" } ?? (part.isEmpty ? "" : "…")
    }
    return "?" + parts.joined(separator: "&")
  }
}

extension Character {
  /// Whether a URL ends before this character.
  fileprivate var endsAddress: Bool {
    isWhitespace || "\"'`<>".contains(self)
  }
}
