/// Descriptions and discussions: the same text whatever form it was read from.
enum SpecificationText {
  /// Line feeds for every line end, no blank lines around, no white space at the ends of lines.
  static func trimmed(_ text: String) -> String {
    trimmed(lines: lines(of: text)[...])
  }

  static func trimmed(lines: ArraySlice<Substring>) -> String {
    let lines = lines.map(withoutTrailingSpace)
    let start = lines.firstIndex { !$0.isEmpty } ?? lines.endIndex
    let end = lines.lastIndex { !$0.isEmpty } ?? lines.startIndex
    return start < lines.endIndex ? lines[start...end].joined(separator: "\n") : ""
  }

  /// The lines of a text; LF, CR LF and CR end one.
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
    let kept = line.unicodeScalars.reversed().drop { $0 == " " || $0 == "\t" }
    return Substring(String(String.UnicodeScalarView(kept.reversed())))
  }
}
