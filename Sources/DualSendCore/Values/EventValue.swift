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
  package var typeName: String {
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
  package func value(at path: EventPath) -> EventValue? {
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
  /// The value as an old logger expects it: Swift's native types, and `NSNull` for ``null``. An integer is an `Int`, or an
  /// `Int64` where `Int` has 32 bits and does not hold it.
  public var plainValue: Any {
    switch self {
    case .null: NSNull()
    case .bool(let flag): flag
    case .int(let number): Int(exactly: number) ?? number
    case .uint(let number): number
    case .double(let number): number
    case .string(let text): text
    case .array(let elements): elements.map(\.plainValue)
    case .object(let members): members.mapValues(\.plainValue)
    case .date(let date): date
    }
  }
}

// MARK: - Conversion issue

extension EventValue {
  /// A value that was left out of an event, and why.
  public struct ConversionIssue: Sendable, Hashable {
    /// The kind of fault.
    public enum Reason: Sendable, Hashable {
      /// NaN or an infinity.
      case nonFiniteNumber
      /// An integer beyond both `Int64` and `UInt64`.
      case integerOutOfRange
      /// A date outside the years 0000 to 9999, which RFC 3339 cannot represent.
      case dateOutOfRange
      /// A type without a JSON form. The associated value is the type's name.
      case unsupportedType(String)
      /// An `Encodable` value whose encoding threw. The associated value is its type's name.
      case encodingFailed(String)
      /// A dictionary whose keys are not strings.
      case nonStringKeys
      /// Containers nested deeper than ``EventValueConverter/maximumDepth``.
      case tooDeep
    }

    /// The value's place in the payload.
    public let path: EventPath
    /// Why it was left out.
    public let reason: Reason

    package init(path: EventPath, reason: Reason) {
      self.path = path
      self.reason = reason
    }
  }
}

// MARK: - Numbers

extension EventValue {
  /// Creates an `int` if the number fits `Int64`, otherwise a `uint`.
  package init(_ number: UInt64) {
    self = Int64(exactly: number).map { .int($0) } ?? .uint(number)
  }

  /// Whether both are numbers with the same canonical text.
  ///
  /// A double of 2⁵³ or more equals only the integer as which it is written.
  package func isSameNumber(as other: EventValue) -> Bool {
    switch (self, other) {
    case (.int(let left), .int(let right)): left == right
    case (.uint(let left), .uint(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.int(let integer), .double(let double)), (.double(let double), .int(let integer)):
      double.magnitude <= 0x1p53 ? Int64(exactly: double) == integer : hasSameText(as: other)
    case (.uint, .double), (.double, .uint): hasSameText(as: other)
    default: false
    }
  }

  /// Whether the value is an integer or a double.
  package var isNumber: Bool {
    switch self {
    case .int, .uint, .double: true
    default: false
    }
  }

  private func hasSameText(as other: EventValue) -> Bool {
    canonicalJSON == other.canonicalJSON
  }
}

// MARK: - Event value builder

/// Builds values without positions, for events, where speed matters.
enum EventValueBuilder: JSONBuilder {
  static func null(at _: Int) -> EventValue { .null }
  static func bool(_ value: Bool, at _: Int) -> EventValue { .bool(value) }
  static func string(_ text: String, at _: Int) -> EventValue { .string(text) }
  static func array(_ elements: [EventValue], at _: Int) -> EventValue { .array(elements) }
  static func object(_ members: [String: EventValue], at _: Int) -> EventValue { .object(members) }

  static func number(
    _ text: UnsafeBufferPointer<UInt8>, isInteger: Bool, at offset: Int
  ) throws(JSONError) -> EventValue {
    if isInteger, let integer = integer(text) { return integer }
    guard let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite else {
      throw JSONError(reason: .numberOutOfRange, offset: offset)
    }
    return .double(number)
  }

  static var limitsTexts: Bool { false }
  static var noMembers: [String: EventValue] { [:] }

  static func add(
    _ key: String, at _: Int, _ value: EventValue, to members: inout [String: EventValue]
  ) -> String? {
    if members.updateValue(value, forKey: key) == nil { return nil }
    return members.index(forKey: key).map { members.keys[$0] }
  }

  /// The value of digits with an optional sign; `nil` if neither `Int64` nor `UInt64` holds it.
  static func integer(_ text: some Collection<UInt8>) -> EventValue? {
    let isNegative = text.first == UInt8(ascii: "-")
    var magnitude: UInt64 = 0
    for byte in text.dropFirst(isNegative ? 1 : 0) {
      let (scaled, scaleOverflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflow) = scaled.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
      if scaleOverflow || sumOverflow { return nil }
      magnitude = sum
    }
    if !isNegative { return EventValue(magnitude) }
    return magnitude <= Int64.min.magnitude ? .int(Int64(truncatingIfNeeded: 0 &- magnitude)) : nil
  }
}

extension EventValue {
  /// Whether it nests more containers than this, itself included.
  package func isDeeper(than depth: Int) -> Bool {
    switch self {
    case .object(let members): depth < 1 || members.values.contains { $0.isDeeper(than: depth - 1) }
    case .array(let elements): depth < 1 || elements.contains { $0.isDeeper(than: depth - 1) }
    default: false
    }
  }
}
