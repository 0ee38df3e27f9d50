/// A text between backticks, as CommonMark 0.31 has it (§ 6.1): as many behind as in front.
enum CodeSpan {
  /// Whether a text can be written as a code span and read again: not empty, on one line, without control characters.
  static func isWritable(_ text: String) -> Bool {
    !text.isEmpty && !text.unicodeScalars.contains { MarkdownText.isForbidden($0) || ["\n", "\r", "\t"].contains($0) }
  }

  /// The text between enough backticks.
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

  /// Reads the span that starts at the first scalar and takes it off the text; `nil` if there is none.
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
