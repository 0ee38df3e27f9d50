/// What the texts of one payload, all written in one locale, show about its separators.
///
/// `1,234` alone may be 1234 or 1.234. Where the same payload also has `12,5` or `1,234,567`, it is one of the two.
struct NumberEvidence {
  private var decimals: Set<UnicodeScalar> = []
  private var groupings: Set<UnicodeScalar> = []
  private let format: HealthNumberFormat?

  /// - Parameter format: asked where the texts do not tell.
  init(format: HealthNumberFormat? = nil) {
    self.format = format
  }

  /// Learns from a text, if it has one reading.
  mutating func add(_ text: String) {
    guard case .certain(_, let decimal, let grouping)? = QuantityText(text)?.number else { return }
    if let decimal { decimals.insert(decimal) }
    if let grouping { groupings.insert(grouping) }
  }

  /// Reads a quantity; `nil` if it is none.
  func quantity(_ text: String, expecting dimension: HealthUnit.Dimension) -> HealthQuantity? {
    guard let parts = QuantityText(text) else { return nil }
    let unit = HealthUnit(text: parts.unit, expecting: dimension)
    switch parts.number {
    case .unreadable: return nil
    case .certain(let value, _, _): return HealthQuantity(value: value, unit: unit, text: text)
    case .ambiguous(let separator, let grouped, let fraction):
      let isDecimal = isDecimal(separator)
      return HealthQuantity(
        value: isDecimal ?? false ? fraction : grouped, unit: unit, text: text,
        certainty: isDecimal == nil ? .assumed : .inferred)
    }
  }

  /// Whether the separator begins a fraction; `nil` if nothing tells.
  private func isDecimal(_ separator: UnicodeScalar) -> Bool? {
    // Of the two separators of a locale, each shows what the other one is.
    let speaksForDecimal = decimals.contains(separator) || groupings.contains { $0 != separator }
    let speaksForGrouping = groupings.contains(separator) || decimals.contains { $0 != separator }
    if speaksForDecimal != speaksForGrouping { return speaksForDecimal }
    if speaksForDecimal { return nil }
    let text = String(Character(separator))
    if text == format?.decimalSeparator { return true }
    return text == format?.groupingSeparator ? false : nil
  }
}
