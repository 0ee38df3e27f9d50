public import DualSendCore

/// What a row does to a value on its way: a value table, a type, a default.
///
/// The table is asked first, then the type converts what the table does not name. A value that neither can take is
/// kept as it was, unless there is a default. The default also stands in for a value that is absent or `null`.
public struct ValueRule: Sendable, Hashable {
  /// What became of one value.
  public enum Outcome: String, Sendable, Hashable {
    /// It needed no change.
    case unchanged
    /// It was converted and nothing of it was lost.
    case converted
    /// It was converted and lost something: a fraction, or digits that a double cannot hold.
    case lossy
    /// It was absent or `null`, and the default stands in for it.
    case defaulted
    /// It could not be converted, and the default stands in for it.
    case replaced
    /// It could not be converted and was kept as it was.
    case failed
  }

  /// The type to convert to.
  public let type: ValueType?
  /// New values by the text of the old ones: a string itself, a number or boolean in canonical JSON.
  public let table: [String: EventValue]?
  /// What stands in for a value that is absent, `null` or cannot be converted.
  public let fallback: EventValue?

  /// Creates a rule. One that a table could not say, such as a default of another type, is not refused here.
  public init(type: ValueType? = nil, table: [String: EventValue]? = nil, fallback: EventValue? = nil) {
    self.type = type
    self.table = table
    self.fallback = fallback
  }

  /// The value after this rule, and what became of it.
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
