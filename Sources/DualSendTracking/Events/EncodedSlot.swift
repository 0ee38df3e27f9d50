import DualSendCore
import Foundation

/// A place in a value that is being encoded. A class, because nested containers are filled after their parents.
final class EncodedSlot {
  private enum Content {
    /// Not encoded yet. Becomes an empty object, as for a type without properties.
    case empty
    case leaf(EventValue)
    case object([String: EncodedSlot])
    case array([EncodedSlot])
  }

  private var content = Content.empty

  /// The value encoded so far.
  var value: EventValue {
    switch content {
    case .empty: .object([:])
    case .leaf(let value): value
    case .object(let members): .object(members.mapValues(\.value))
    case .array(let elements): .array(elements.map(\.value))
    }
  }

  var count: Int {
    if case .array(let elements) = content { elements.count } else { 0 }
  }

  func set(_ value: EventValue) {
    content = .leaf(value)
  }

  func makeObject() {
    if case .object = content { return }
    content = .object([:])
  }

  func makeArray() {
    if case .array = content { return }
    content = .array([])
  }

  /// The slot of a member, the same for each use of a key.
  func member(_ key: String) -> EncodedSlot {
    guard case .object(var members) = content else { return EncodedSlot() }
    if let slot = members[key] { return slot }
    content = .empty
    let slot = EncodedSlot()
    members[key] = slot
    content = .object(members)
    return slot
  }

  /// Appends a slot to an array.
  func next() -> EncodedSlot {
    guard case .array(var elements) = content else { return EncodedSlot() }
    content = .empty
    let slot = EncodedSlot()
    elements.append(slot)
    content = .array(elements)
    return slot
  }
}

extension EventValue {
  /// The value of a type that is encoded as a single value; `nil` for every other type.
  static func leaf(_ value: any Encodable) -> EventValue? {
    switch value {
    case let text as String: .string(text)
    case let flag as Bool: .bool(flag)
    case let number as Double: .double(number)
    case let number as Float: .double(Double(number))
    case let number as any BinaryInteger: integer(number)
    case let date as Date: .date(date)
    case let data as Data: .string(data.base64EncodedString())
    case let url as URL: .string(url.absoluteString)
    case let id as UUID: .string(id.uuidString)
    case let number as Decimal: .double(NSDecimalNumber(decimal: number).doubleValue)
    default: nil
    }
  }

  private static func integer(_ number: some BinaryInteger) -> EventValue {
    if let number = Int64(exactly: number) { return .int(number) }
    if let number = UInt64(exactly: number) { return .uint(number) }
    return .double(Double(number))
  }
}
