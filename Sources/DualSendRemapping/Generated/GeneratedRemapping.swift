public import DualSendCore

/// The rule of one event, for generated code: where rows reach into values whose inside no specification describes.
///
/// Not for code that people write; its form follows the generator's.
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

  /// A value that every event gets.
  public struct Constant: Sendable {
    let constant: EventRule.Constant

    /// Creates a constant.
    public init(_ target: Path, _ value: EventValue) {
      constant = EventRule.Constant(target: target.pattern, value: value)
    }
  }

  private let plan: EventPlan

  /// Puts the rule together, `*` merged in.
  ///
  /// - Parameters:
  ///   - rows: the event's rows and those of `*`.
  ///   - constants: what `add` writes.
  ///   - keepsUnmapped: whether values that no row names stay where they are.
  ///   - payloadWinsClashes: whether such a value stays where a row writes to its place.
  public init(rows: [Row], constants: [Constant], keepsUnmapped: Bool, payloadWinsClashes: Bool) {
    plan = EventPlan(
      EventRule(
        rows: rows.map(\.row), constants: constants.map(\.constant), unmapped: keepsUnmapped ? .keep : .drop,
        clashPolicy: payloadWinsClashes ? .payload : .mapped))
  }

  /// The new parameters. A value that JSON cannot hold is left out, as the tracker does.
  public func callAsFunction(_ parameters: [String: any Sendable]) -> [String: any Sendable] {
    var converter = EventValueConverter()
    return plan.apply(to: "", converter.convert(parameters)).payload
  }
}

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
