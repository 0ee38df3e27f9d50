/// A pattern of event names: `*` matches any text; `\*` and `\\` match the character itself.
struct NamePattern {
  /// The literal parts between the `*`.
  private var parts: [[UInt8]] = [[]]

  /// - Returns: `nil` if a backslash precedes another character or is at the end.
  init?(_ text: String) {
    var isEscaped = false
    for byte in text.utf8 {
      let isSpecial = byte == UInt8(ascii: "*") || byte == UInt8(ascii: "\\")
      if isEscaped, !isSpecial { return nil }
      if isEscaped || !isSpecial {
        parts[parts.count - 1].append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "*") {
        parts.append([])
      } else {
        isEscaped = true
      }
    }
    if isEscaped { return nil }
  }

  /// Whether the pattern matches a whole name. Matches each part as early as possible.
  func matches(_ name: String) -> Bool {
    var rest = Array(name.utf8)[...]
    guard let first = parts.first, let last = parts.last, rest.starts(with: first) else { return false }
    if parts.count == 1 { return rest.count == first.count }
    rest = rest.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let start = rest.indices.first(where: { rest[$0...].starts(with: part) }) else { return false }
      rest = rest[(start + part.count)...]
    }
    return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
  }
}
