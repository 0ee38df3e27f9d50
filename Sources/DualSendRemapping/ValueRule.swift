public import DualSendCore

/// The conversion of a row: a value table, a type and a default, each optional.
///
/// The table applies first; the type converts values that are not in the table. A value that cannot be converted is replaced
/// by the default, or kept if there is none. The default also replaces an absent value and `null`.
public struct ValueRule: Sendable, Hashable {
  /// The result of a conversion.
  public enum Outcome: String, Sendable, Hashable {
    /// The value did not change.
    case unchanged
    /// The value was converted without loss.
    case converted
    /// The conversion dropped a fraction, or digits that a double cannot represent.
    case lossy
    /// The default replaced an absent value or `null`.
    case defaulted
    /// The default replaced a value that could not be converted.
    case replaced
    /// The value could not be converted and was kept.
    case failed
  }

  /// The type to convert to.
  public let type: ValueType?
  /// New values by the text of the old ones: a string itself, a number or boolean in canonical JSON.
  public let table: [String: EventValue]?
  /// The default for a value that is absent, `null` or cannot be converted.
  public let fallback: EventValue?

  /// Creates a rule. Does not check that the default and the table's values have the type.
  public init(type: ValueType? = nil, table: [String: EventValue]? = nil, fallback: EventValue? = nil) {
    self.type = type
    self.table = table
    self.fallback = fallback
  }

  /// Converts a value.
  public func apply(to value: EventValue) -> (value: EventValue, outcome: Outcome) {
    if let table, let key = tableKey(of: value), let found = table.value(exactly: key) {
      return (found, found == value ? .unchanged : .converted)
    }
    if value == .null, let fallback { return (fallback, .defaulted) }
    if table != nil, type == nil {
      return value == .null ? (value, .unchanged) : unconverted(value)
    }
    guard let type else { return (value, .unchanged) }
    guard let converted = type.convert(value) else { return unconverted(value) }
    if converted.value == value { return (value, .unchanged) }
    return (converted.value, converted.isLossy ? .lossy : .converted)
  }

  private func unconverted(_ value: EventValue) -> (value: EventValue, outcome: Outcome) {
    fallback.map { ($0, .replaced) } ?? (value, .failed)
  }

  private func tableKey(of value: EventValue) -> String? {
    switch value {
    case .string(let text): text
    case .null, .bool, .int, .uint, .double: value.canonicalText
    case .date(let date): Timestamp.text(milliseconds: Timestamp.milliseconds(date))
    case .array, .object: nil
    }
  }
}
