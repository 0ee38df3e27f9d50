import Foundation

/// Converts Swift and Foundation values to ``EventValue``, and records those that cannot be converted.
///
/// Only the value that JSON cannot hold is left out, never the event. An ``EventValue/ConversionIssue`` gives its
/// place, not the value.
package struct EventValueConverter: Sendable {
  /// How many containers may be nested in an event, its parameters included; deeper ones are left out and reported.
  ///
  /// Every wire format can carry as many: OTLP, which writes four levels of JSON for each, reaches the depth of 64 that JSON
  /// readers such as this package's refuse at 14.
  package static let maximumDepth = 12

  /// The values left out so far, in order.
  package private(set) var issues: [EventValue.ConversionIssue] = []
  private var path: [EventPath.Step] = []

  /// Creates a converter.
  package init() {}

  /// Converts a payload. Leaves out the values that cannot be converted.
  package mutating func convert(_ payload: [String: any Sendable]) -> [String: EventValue] {
    convert(payload) { $0 }
  }

  /// Converts a payload of values that need not be sendable. Leaves out those that cannot be converted.
  package mutating func convert(_ payload: [String: Any]) -> [String: EventValue] {
    convert(payload) { $0 }
  }

  /// Uses `mapValues`, which does not hash the keys again. Only the values that are not plain need their keys.
  private mutating func convert<Value>(
    _ payload: [String: Value], erased: (Value) -> Any
  ) -> [String: EventValue] {
    var areAllPlain = true
    var result = payload.mapValues { value in
      if let plain = plain(erased(value)) { return plain }
      areAllPlain = false
      return .null
    }
    if areAllPlain { return result }
    for (key, value) in payload {
      let value = erased(value)
      if plain(value) == nil { result[key] = step(.key(key)) { $0.convert(any: value) } }
    }
    return result
  }

  /// Checks ``EventValue``s: removes non-finite doubles, and containers that are too deep.
  package mutating func convert(_ payload: [String: EventValue]) -> [String: EventValue] {
    guard case .object(let members)? = convert(value: .object(payload)) else { return [:] }
    return members
  }

  /// Converts one value; `nil` if it was left out.
  package mutating func convert(any value: Any) -> EventValue? {
    if let plain = plain(value) { return plain }
    let type = type(of: value)
    if type == Double.self, let number = value as? Double { return finite(number) }
    if type == EventValue.self, let value = value as? EventValue { return convert(value: value) }
    return convertUncommon(value)
  }

  /// Converts one member of a payload.
  mutating func convert(any value: any Sendable, at key: String) -> EventValue? {
    plain(value) ?? step(.key(key)) { $0.convert(any: value) }
  }

  private mutating func convertUncommon(_ value: Any) -> EventValue? {
    switch value {
    // Before all other casts, which unwrap the optional: an optional boolean `NSNumber` would be taken for a `Float`.
    case let optional as any OptionalValue: return optional.wrappedAny.map { convert(any: $0) } ?? .null
    case let number as NSNumber where isObjectiveC(value): return convert(number)
    case let number as any BinaryInteger: return integer(number)
    case let number as Float: return number.isFinite ? finite(Double(number.description) ?? .nan) : finite(.nan)
    case let number as CGFloat: return finite(Double(number))
    case let number as Decimal: return convert(number)
    case let date as Date: return convert(date)
    case let url as URL: return .string(url.absoluteString)
    case let uuid as UUID: return .string(uuid.uuidString)
    case let text as any StringProtocol: return .string(String(text))
    case let text as NSString: return .string(String(describing: text))
    case let character as Character: return .string(String(character))
    case is NSNull: return .null
    case let members as [String: Any]: return nested { $0.object(members) }
    case let elements as [Any]: return nested { $0.array(elements) }
    case let raw as any RawRepresentable: return convert(any: raw.rawValue)
    case is [AnyHashable: Any]: return leaveOut(.nonStringKeys)
    default: return leaveOut(.unsupportedType(String(describing: type(of: value))))
    }
  }

  private mutating func object(_ members: [String: Any]) -> EventValue {
    .object(convert(members))
  }

  private mutating func array(_ elements: [Any]) -> EventValue {
    var result: [EventValue] = []
    result.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      if let converted = step(.index(index), { $0.convert(any: element) }) { result.append(converted) }
    }
    return .array(result)
  }

  private mutating func convert(value: EventValue) -> EventValue? {
    switch value {
    case .double(let number): return finite(number)
    case .array(let elements):
      return nested { converter in
        var result: [EventValue] = []
        result.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
          if let kept = converter.step(.index(index), { $0.convert(value: element) }) { result.append(kept) }
        }
        return .array(result)
      }
    case .object(let members):
      return nested { converter in
        var result = members
        for (key, member) in members {
          let kept = converter.step(.key(key), { $0.convert(value: member) })
          if kept != member { result[key] = kept }
        }
        return .object(result)
      }
    case .uint(let number): return EventValue(number)
    case .date(let date): return convert(date)
    case .null, .bool, .int, .string: return value
    }
  }

  private mutating func convert(_ number: NSNumber) -> EventValue? {
    if Swift.type(of: number) == booleanNumberType { return .bool(number.boolValue) }
    switch number.objCType.pointee {
    case CChar(UInt8(ascii: "f")): return convert(any: number.floatValue)
    case CChar(UInt8(ascii: "d")):
      return number is NSDecimalNumber ? convert(number.decimalValue) : finite(number.doubleValue)
    case CChar(UInt8(ascii: "Q")): return EventValue(number.uint64Value)
    default: return .int(number.int64Value)
    }
  }

  private mutating func convert(_ number: Decimal) -> EventValue? {
    let text = number.description
    return Int64(text).map { .int($0) } ?? UInt64(text).map { .uint($0) } ?? finite(Double(text) ?? .nan)
  }

  private mutating func integer(_ number: any BinaryInteger) -> EventValue? {
    Int64(exactly: number).map { .int($0) } ?? UInt64(exactly: number).map { .uint($0) }
      ?? leaveOut(.integerOutOfRange)
  }

  private mutating func convert(_ date: Date) -> EventValue? {
    Timestamp.isLoggable(milliseconds: Timestamp.milliseconds(date)) ? .date(date) : leaveOut(.dateOutOfRange)
  }

  private mutating func finite(_ number: Double) -> EventValue? {
    number.isFinite ? .double(number) : leaveOut(.nonFiniteNumber)
  }

  private mutating func nested(_ body: (inout EventValueConverter) -> EventValue) -> EventValue? {
    path.count < Self.maximumDepth ? body(&self) : leaveOut(.tooDeep)
  }

  private mutating func step(
    _ step: EventPath.Step, _ body: (inout EventValueConverter) -> EventValue?
  ) -> EventValue? {
    path.append(step)
    defer { path.removeLast() }
    return body(&self)
  }

  private mutating func leaveOut(_ reason: EventValue.ConversionIssue.Reason) -> EventValue? {
    issues.append(EventValue.ConversionIssue(path: EventPath(path), reason: reason))
    return nil
  }
}

/// Converts a value of the most common types, which cannot fail; `nil` for every other.
///
/// Callers pass an existential, which Swift opens. A value of a generic type is not opened if it is an existential, and none of
/// the types below would match.
private func plain<Value>(_ value: Value) -> EventValue? {
  // Compares the exact type instead of casting: on Apple platforms `as? NSNumber` also accepts a native Int, and `as?
  // Bool` accepts an NSNumber of 1. A cast is also several times slower.
  if Value.self == String.self { return .string(unsafeBitCast(value, to: String.self)) }
  if Value.self == Int.self { return .int(Int64(unsafeBitCast(value, to: Int.self))) }
  if Value.self == Bool.self { return .bool(unsafeBitCast(value, to: Bool.self)) }
  if Value.self == Double.self {
    let number = unsafeBitCast(value, to: Double.self)
    return number.isFinite ? .double(number) : nil
  }
  return nil
}

/// The private class of both Foundations for booleans, the only way to tell `NSNumber(true)` from `NSNumber(1)`.
private let booleanNumberType = type(of: NSNumber(value: true))

/// Whether the value is an object, not a native number that Apple platforms would bridge.
private func isObjectiveC(_ value: Any) -> Bool {
  type(of: value) is AnyClass
}

private protocol OptionalValue {
  var wrappedAny: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrappedAny: Any? { self }
}
