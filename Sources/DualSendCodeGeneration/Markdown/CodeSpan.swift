/// A code span (CommonMark 0.31, section 6.1): a text between backtick strings of equal length.
enum CodeSpan {
  /// Whether a text can be a code span: not empty, on one line, without control characters.
  static func isWritable(_ text: String) -> Bool {
    !text.isEmpty && !text.unicodeScalars.contains { MarkdownText.isForbidden($0) || ["\n", "\r", "\t"].contains($0) }
  }

  /// The text as a code span.
  static func text(_ text: String) -> String {
    var (longest, run) = (0, 0)
    for scalar in text.unicodeScalars {
      run = scalar == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    let needsSpace =
      text.hasPrefix("`") || text.hasSuffix("`")
      || (text.hasPrefix(" ") && text.hasSuffix(" ") && !isBlank(text))
    return needsSpace ? "\(fence) \(text) \(fence)" : fence + text + fence
  }

  /// Reads and removes the code span at the start of the text; `nil` if there is none.
  static func read(_ rest: inout Substring.UnicodeScalarView) -> String? {
    let fence = rest.prefix { $0 == "`" }.count
    guard fence > 0 else { return nil }
    var inner = rest.dropFirst(fence)
    let start = inner.startIndex
    while !inner.isEmpty {
      inner = inner.drop { $0 != "`" }
      let run = inner.prefix { $0 == "`" }.count
      if run == fence {
        let text = String(Substring(rest[start..<inner.startIndex]))
        rest = inner.dropFirst(run)
        return unpadded(text)
      }
      inner = inner.dropFirst(run)
    }
    return nil
  }

  private static func unpadded(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > 2, scalars.first == " ", scalars.last == " ", !isBlank(text) else { return text }
    return String(Substring(scalars.dropFirst().dropLast()))
  }

  private static func isBlank(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0 == " " }
  }
}
