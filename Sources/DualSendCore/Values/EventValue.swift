public import struct Foundation.Date

/// One value an event can carry: JSON's types, with integers, doubles and dates told apart.
///
/// The enum is closed on purpose. Every value that enters the package becomes one of these once,
/// at ``EventValueConverter``; nothing behind that point sees `Any`.
public enum EventValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case int(Int64)
  /// An integer above `Int64.max`, which ``int(_:)`` cannot hold. ``EventValueConverter`` and the JSON reader make no other.
  case uint(UInt64)
  /// A finite double. A non-finite one is refused by ``EventValueConverter`` and never stored.
  case double(Double)
  case string(String)
  case array([EventValue])
  case object([String: EventValue])
  /// Written to JSON as an RFC 3339 string in UTC with milliseconds.
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
  /// Creates ``object(_:)``; of two equal keys the last one counts.
  public init(dictionaryLiteral elements: (String, EventValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}

extension EventValue {
  /// Whether both are of one case and hold the same; texts and keys are the same if their UTF-8 bytes are.
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

  /// The name of the value's type as the tables and diagnostics use it: `null`, `bool`, `int`, `double`, `string`,
  /// `array`, `object` or `date`.
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
