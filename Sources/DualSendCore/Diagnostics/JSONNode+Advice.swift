/// What somebody probably meant who wrote a value of the wrong type. Nothing long is repeated.
extension JSONNode {
  private static let longestAdvice = 40

  /// `remove the quotes: …` for a text that is the JSON of a fitting value; `nil` for any other.
  public func withoutQuotes(_ fits: (JSONNode) -> Bool) -> String? {
    guard case .string(let text) = content, Self.isShort(text, and: fits) else { return nil }
    return "remove the quotes: `\(text)`"
  }

  /// How to write a percentage that stands in quotes, with or without its sign; `nil` for anything else.
  public var plainPercentage: String? {
    guard case .string(let text) = content, text.hasSuffix("%") else { return withoutQuotes(\.isNumber) }
    let number = text.dropLast().split(separator: " ").joined(separator: " ")
    return Self.isShort(number, and: \.isNumber) ? "a percentage is a plain number: `\(number)`" : nil
  }

  /// Whether a text is not long, and the JSON of a fitting value.
  private static func isShort(_ text: String, and fits: (JSONNode) -> Bool) -> Bool {
    guard text.utf8.count <= longestAdvice else { return false }
    return (try? JSONReader().document(text.utf8).root).map(fits) ?? false
  }

  /// `put it into brackets: …` for a text that stands where a list of texts should; `nil` for anything else.
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

  /// The number as a message quotes it: its start, if it is long.
  public var quotation: String {
    text.utf8.count <= Self.longestQuote ? text : text.prefix(Self.longestQuote) + "…"
  }

  /// Why a number that does not fit `Int64` as it is written does not.
  var fault: String {
    isInteger ? "\(quotation), which is too large" : "\(quotation), which has a fraction or an exponent"
  }

  /// How to write the number without its fraction, where that changes nothing.
  var withoutFraction: String? {
    guard !isInteger, case .double(let number) = eventValue, let whole = Int64(exactly: number) else { return nil }
    return "write it as `\(whole)`"
  }
}
