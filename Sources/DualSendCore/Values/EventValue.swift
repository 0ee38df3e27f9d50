public import Foundation

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

extension EventValue {
  /// The value at a path inside this one; `nil` if there is none.
  public func value(at path: EventPath) -> EventValue? {
    path.steps.reduce(Optional(self)) { value, step in
      switch (value, step) {
      case (.object(let members)?, .key(let key)): members.value(exactly: key)
      case (.array(let elements)?, .index(let index)): elements.indices.contains(index) ? elements[index] : nil
      default: nil
      }
    }
  }
}

extension EventValue {
  /// The value as an old logger expects it: Swift's native types, and `NSNull` for ``null``.
  public var plainValue: Any {
    switch self {
    case .null: NSNull()
    case .bool(let flag): flag
    case .int(let number): Int(number)
    case .uint(let number): number
    case .double(let number): number
    case .string(let text): text
    case .array(let elements): elements.map(\.plainValue)
    case .object(let members): members.mapValues(\.plainValue)
    case .date(let date): date
    }
  }
}
