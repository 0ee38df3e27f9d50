/// Normalises descriptions and discussions, so that all forms give the same text.
enum SpecificationText {
  /// Converts line breaks to line feeds, and removes surrounding blank lines and trailing white space.
  static func trimmed(_ text: String) -> String {
    // Fast path: most texts are one line.
    let edges = [text.utf8.first, text.utf8.last].compactMap { $0 }
    if !text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }), edges.allSatisfy({ $0 != 0x20 && $0 != 0x09 }) {
      return text
    }
    return trimmed(lines: lines(of: text)[...])
  }

  static func trimmed(lines: ArraySlice<Substring>) -> String {
    let lines = lines.map(withoutTrailingSpace)
    let start = lines.firstIndex { !$0.isEmpty } ?? lines.endIndex
    let end = lines.lastIndex { !$0.isEmpty } ?? lines.startIndex
    return start < lines.endIndex ? lines[start...end].joined(separator: "\n") : ""
  }

  /// The lines of a text, separated by LF, CRLF or CR.
  static func lines(of text: String) -> [Substring] {
    var lines: [Substring] = []
    let scalars = text.unicodeScalars
    var start = scalars.startIndex
    var index = start
    while index < scalars.endIndex {
      let next = scalars.index(after: index)
      if scalars[index] == "\n" {
        lines.append(text[start..<index])
        start = next
      } else if scalars[index] == "\r" {
        lines.append(text[start..<index])
        start = next < scalars.endIndex && scalars[next] == "\n" ? scalars.index(after: next) : next
        index = start
        continue
      }
      index = next
    }
    lines.append(text[start...])
    return lines
  }

  static func withoutTrailingSpace(_ line: some StringProtocol) -> Substring {
    let line = Substring(line)
    guard let end = line.utf8.lastIndex(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else {
      return ""
    }
    return Substring(line.utf8[...end])
  }
}
