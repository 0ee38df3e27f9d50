public import struct Foundation.Date

/// A value of an event: JSON's types, with integers, doubles and dates told apart.
///
/// Every value that enters the package is converted to this type once, by ``EventValueConverter``.
public enum EventValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case int(Int64)
  /// An integer above `Int64.max`. ``EventValueConverter`` and the JSON reader use ``int(_:)`` for all others.
  case uint(UInt64)
  /// A finite double. ``EventValueConverter`` removes non-finite ones.
  case double(Double)
  case string(String)
  case array([EventValue])
  case object([String: EventValue])
  /// A date. Written as an RFC 3339 string in UTC, with milliseconds.
  case date(Date)
}

extension EventValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates ``null``.
  public init(nilLiteral: ()) { self = .null }
  /// Creates ``bool(_:)``.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates ``int(_:)``.
  public init(integerLiteral value: Int64) { self = .int(value) }
  /// Creates ``double(_:)``.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates ``string(_:)``.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates ``array(_:)``.
  public init(arrayLiteral elements: EventValue...) { self = .array(elements) }
  /// Creates ``object(_:)``. If a key appears twice, the last value is used.
  public init(dictionaryLiteral elements: (String, EventValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}

extension EventValue {
  /// Compares cases and values. Strings and keys are equal if their UTF-8 bytes are.
  public static func == (left: EventValue, right: EventValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.uint(let left), .uint(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.string(let left), .string(let right)): left.isExactly(right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left.hasExactly(right)
    case (.date(let left), .date(let right)): left == right
    default: false
    }
  }

  /// The name of the value's type in tables and diagnostics: `null`, `bool`, `int`, `double`, `string`, `array`,
  /// `object` or `date`.
  public var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .int, .uint: "int"
    case .double: "double"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    case .date: "date"
    }
  }
}
