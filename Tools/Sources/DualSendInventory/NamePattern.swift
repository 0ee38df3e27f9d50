/// A pattern of event names: each `*` stands for any text, `\*` and `\\` for the character itself.
struct NamePattern {
  /// The texts between the stars: the first one starts a name, the last one ends it.
  private var parts: [[UInt8]] = [[]]

  /// - Returns: `nil` for a backslash before any other character, or at the end.
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

  /// Whether the pattern fits all of a name. Takes each part where it comes first, which never spoils a later one.
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
