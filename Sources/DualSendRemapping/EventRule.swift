package import DualSendCore

/// A row of a remapping table: a source path and an action.
package struct RemappingRow: Sendable, Equatable {
  /// What a row does with its value.
  package enum Action: Sendable, Equatable {
    /// Drops the value.
    case drop
    /// Writes the value to another path, after an optional conversion.
    case move(to: KeyPathPattern, ValueRule?)
  }

  /// The path in the old payload.
  package let source: KeyPathPattern
  /// What the row does with the value.
  package let action: Action
  /// The place among the sources of one target, from 0: a value that is not `null` wins over those of later sources. Rows of
  /// one source have 0.
  package let rank: Int

  package init(source: KeyPathPattern, action: Action, rank: Int = 0) {
    self.source = source
    self.action = action
    self.rank = rank
  }
}

/// The rule of a remapping table for one event, including the rows of `*`.
package struct EventRule: Sendable, Equatable {
  /// A value that is added to every event.
  package struct Constant: Sendable, Equatable {
    /// The path of the value.
    package let target: KeyPathPattern
    /// The value.
    package let value: EventValue
  }

  /// The new name; `nil` keeps the old one.
  package let name: String?
  /// The rows, in the order of the document, those of `*` after the event's own.
  package let rows: [RemappingRow]
  /// The constants of `add` and of that of `*`, sorted by target.
  package let constants: [Constant]
  /// The treatment of values that no row names.
  package let unmapped: RemappingTable.Unmapped
  /// The value that wins a clash.
  package let clashPolicy: RemappingTable.ClashPolicy

  package init(
    name: String? = nil, rows: [RemappingRow] = [], constants: [Constant] = [],
    unmapped: RemappingTable.Unmapped = .keep, clashPolicy: RemappingTable.ClashPolicy = .mapped
  ) {
    self.name = name
    self.rows = rows
    self.constants = constants
    self.unmapped = unmapped
    self.clashPolicy = clashPolicy
  }

  /// Whether several sources of one value are declared: rows with the same target, of which ``RemappingRow/rank`` decides.
  package var hasAlternatives: Bool { rows.contains { $0.rank > 0 } }
}

// MARK: - Value rule

/// The conversion of a row: a value table, a type and a default, each optional.
///
/// The table applies first; the type converts values that are not in the table. A value that cannot be converted is replaced
/// by the default, or kept if there is none. The default also replaces an absent value and `null`.
package struct ValueRule: Sendable, Hashable {
  /// The result of a conversion.
  package enum Outcome: String, Sendable, Hashable {
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
  package let type: ValueType?
  /// New values by the text of the old ones: a string itself, a number or boolean in canonical JSON.
  package let table: [String: EventValue]?
  /// The default for a value that is absent, `null` or cannot be converted.
  package let fallback: EventValue?

  /// Creates a rule. Does not check that the default and the table's values have the type.
  package init(type: ValueType? = nil, table: [String: EventValue]? = nil, fallback: EventValue? = nil) {
    self.type = type
    self.table = table
    self.fallback = fallback
  }

  /// Converts a value.
  package func apply(to value: EventValue) -> (value: EventValue, outcome: Outcome) {
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
