/// Suggests a fix for a value of the wrong type. Long values are not repeated.
extension JSONNode {
  private static let longestAdvice = 40

  /// Suggests to remove the quotes of a string that holds a value that fits; `nil` for any other.
  public func withoutQuotes(_ fits: (JSONNode) -> Bool) -> String? {
    guard case .string(let text) = content, Self.isShort(text, and: fits) else { return nil }
    return "remove the quotes: `\(text)`"
  }

  /// Suggests how to write a percentage that is quoted, with or without `%`; `nil` for anything else.
  public var plainPercentage: String? {
    guard case .string(let text) = content, text.hasSuffix("%") else { return withoutQuotes(\.isNumber) }
    let number = text.dropLast().split(separator: " ").joined(separator: " ")
    return Self.isShort(number, and: \.isNumber) ? "a percentage is a plain number: `\(number)`" : nil
  }

  /// Whether a text is short and is the JSON of a value that fits.
  private static func isShort(_ text: String, and fits: (JSONNode) -> Bool) -> Bool {
    guard text.utf8.count <= longestAdvice else { return false }
    return (try? JSONReader().document(text.utf8).root).map(fits) ?? false
  }

  /// Suggests brackets for a string where an array of strings is expected; `nil` for anything else.
  public var inBrackets: String? {
    guard case .string(let text) = content, text.utf8.count <= Self.longestAdvice else { return nil }
    return "put it into brackets: `\(EventValue.array([.string(text)]).canonicalText)`"
  }

  /// Whether this is `true` or `false`.
  public var isBool: Bool {
    if case .bool = content { true } else { false }
  }

  /// Whether this is a number.
  var isNumber: Bool {
    if case .number = content { true } else { false }
  }

  /// Whether this is a whole number that fits `Int64`.
  var isInteger: Bool {
    if case .number(let number) = content, case .int = number.eventValue { true } else { false }
  }
}

extension JSONNode.Number {
  private static let longestQuote = 24

  /// The number for a message, shortened if it is long.
  public var quotation: String {
    text.utf8.count <= Self.longestQuote ? text : text.prefix(Self.longestQuote) + "…"
  }

  /// Why the number is not an `Int64`.
  var fault: String {
    isInteger ? "\(quotation), which is too large" : "\(quotation), which has a fraction or an exponent"
  }

  /// Suggests the number without its fraction, if the fraction is zero.
  var withoutFraction: String? {
    guard !isInteger, case .double(let number) = eventValue, let whole = Int64(exactly: number) else { return nil }
    return "write it as `\(whole)`"
  }
}
