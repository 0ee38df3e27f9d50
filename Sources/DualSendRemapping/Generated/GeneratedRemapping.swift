public import DualSendCore

/// The rule of an event for generated code, used if rows reach into values that the specification does not describe.
///
/// Only for generated code; its form may change with the generator.
public struct GeneratedRemapping: Sendable {
  /// One step of a path.
  public enum Step: Sendable, ExpressibleByStringLiteral {
    /// Into the object's member of this key.
    case key(String)
    /// Into every element of the array.
    case each

    /// Creates ``key(_:)``.
    public init(stringLiteral key: String) { self = .key(key) }
  }

  /// A path that starts with a key.
  public struct Path: Sendable {
    let pattern: KeyPathPattern

    /// Creates a path from its steps.
    public init(_ first: String, _ others: Step...) {
      pattern = KeyPathPattern(
        first: first,
        others: others.map { step in
          switch step {
          case .key(let key): .key(key)
          case .each: .eachElement
          }
        })
    }
  }

  /// One row.
  public struct Row: Sendable {
    let row: RemappingRow

    /// A row that moves a value.
    public init(_ source: Path, to target: Path, _ conversion: GeneratedConversion? = nil) {
      row = RemappingRow(source: source.pattern, action: .move(to: target.pattern, conversion?.rule))
    }

    /// A row that drops a value.
    public init(dropping source: Path) {
      row = RemappingRow(source: source.pattern, action: .drop)
    }
  }

  /// A value that is added to every event.
  public struct Constant: Sendable {
    let constant: EventRule.Constant

    /// Creates a constant.
    public init(_ target: Path, _ value: EventValue) {
      constant = EventRule.Constant(target: target.pattern, value: value)
    }
  }

  private let plan: EventPlan

  /// Creates the rule of an event.
  ///
  /// - Parameters:
  ///   - rows: the event's rows and those of `*`.
  ///   - constants: the constants of `add`.
  ///   - keepsUnmapped: whether values that no row names are kept.
  ///   - payloadWinsClashes: whether such a value wins over a row that writes to its path.
  public init(rows: [Row], constants: [Constant], keepsUnmapped: Bool, payloadWinsClashes: Bool) {
    plan = EventPlan(
      EventRule(
        rows: rows.map(\.row), constants: constants.map(\.constant), unmapped: keepsUnmapped ? .keep : .drop,
        clashPolicy: payloadWinsClashes ? .payload : .mapped))
  }

  /// Returns the new parameters. Drops values that JSON cannot represent, as the tracker does.
  public func callAsFunction(_ parameters: [String: any Sendable]) -> [String: any Sendable] {
    var converter = EventValueConverter()
    return plan.apply(to: "", converter.convert(parameters)).payload
  }
}

/// The conversion of a value for generated code, used if the result depends on the value at run time.
///
/// Only for generated code; its form may change with the generator.
public struct GeneratedConversion: Sendable {
  let rule: ValueRule

  /// Creates a conversion. Without arguments, it only drops values that JSON cannot represent.
  public init(type: ValueType? = nil, values: [String: EventValue]? = nil, default fallback: EventValue? = nil) {
    rule = ValueRule(type: type, table: values, fallback: fallback)
  }

  /// Returns the new value; `nil` if the old one is absent or JSON cannot represent it, and the row has no default.
  ///
  /// Never fails: a value that cannot be converted is kept, or replaced by the row's default.
  public func callAsFunction(_ value: (any Sendable)?) -> EventValue? {
    guard let value else { return rule.fallback }
    // Converts at the depth of a payload's member, so that the same depth limit applies.
    var converter = EventValueConverter()
    guard let converted = converter.convert(["": value])[""] else { return rule.fallback }
    return rule.apply(to: converted).value
  }
}
