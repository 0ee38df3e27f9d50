/// A type as the code writes it.
extension String {
  var isOptionalType: Bool {
    let text = unparenthesized
    return text.hasSuffix("?") || text.hasSuffix("!") || (text.hasPrefix("Optional<") && text.hasSuffix(">"))
  }

  var withoutOptional: String {
    var text = unparenthesized
    while text.hasSuffix("?") || text.hasSuffix("!") { text.removeLast() }
    if text.hasPrefix("Optional<"), text.hasSuffix(">") { text = String(text.dropFirst(9).dropLast()) }
    return text.unparenthesized
  }

  /// The type behind `if let`.
  var unwrappedOnce: String { hasSuffix("??") ? String(dropLast()) : withoutOptional }

  /// The type in parentheses around it alone.
  private var unparenthesized: String {
    let isAlone = hasPrefix("(") && hasSuffix(")") && !contains("->") && !contains(",")
    return isAlone ? String(dropFirst().dropLast()) : self
  }

  /// A type without modifiers that do not change its values.
  var trimmingTypeWords: String {
    var text = Substring(self)
    var isChanged = true
    while isChanged {
      isChanged = false
      for word in [
        "any ", "some ", "inout ", "borrowing ", "consuming ", "sending ", "@escaping ", "@Sendable ", "@autoclosure ",
      ] where text.hasPrefix(word) {
        text = text.dropFirst(word.count)
        isChanged = true
      }
    }
    let type = String(text).unparenthesized
    return type.count < text.count ? type.trimmingTypeWords : type
  }

  /// The position of the colon in a dictionary type.
  var topLevelColon: String.Index? {
    var depth = 0
    for place in indices {
      switch self[place] {
      case "[", "(", "<": depth += 1
      case "]", ")", ">": depth -= 1
      case ":" where depth == 1: return place
      default: break
      }
    }
    return nil
  }

  /// The types of a dictionary's keys and values.
  var dictionaryTypes: (key: String, value: String)? {
    let text = withoutOptional.trimmingTypeWords
    guard text.hasPrefix("["), text.hasSuffix("]"), let colon = text.topLevelColon else { return nil }
    func trimmed(_ part: Substring) -> String {
      String(part).split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
    return (
      trimmed(text[text.index(after: text.startIndex)..<colon]), trimmed(text[text.index(after: colon)...].dropLast())
    )
  }

  /// The type of an array's elements.
  var elementType: String? {
    let text = withoutOptional.trimmingTypeWords
    guard text.hasPrefix("["), text.hasSuffix("]"), text.topLevelColon == nil else { return nil }
    return String(text.dropFirst().dropLast())
  }
}
