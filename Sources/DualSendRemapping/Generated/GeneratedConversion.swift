public import DualSendCore

/// What a row does to a value, for generated code: the row's own rule where only the value can decide what becomes of it.
///
/// Not for code that people write; its form follows the generator's.
public struct GeneratedConversion: Sendable {
  let rule: ValueRule

  /// Creates a conversion; without any argument it only leaves out what JSON cannot hold.
  public init(type: ValueType? = nil, values: [String: EventValue]? = nil, default fallback: EventValue? = nil) {
    rule = ValueRule(type: type, table: values, fallback: fallback)
  }

  /// The new value; `nil` if the old one is absent, or one that JSON cannot hold, and the row has no default.
  ///
  /// Never fails: a value that cannot be converted is kept as it was, or replaced by the row's default.
  public func callAsFunction(_ value: (any Sendable)?) -> EventValue? {
    guard let value else { return rule.fallback }
    // At the depth that the value has in a payload, so that the same parts are too deep.
    var converter = EventValueConverter()
    guard let converted = converter.convert(["": value])[""] else { return rule.fallback }
    return rule.apply(to: converted).value
  }
}
