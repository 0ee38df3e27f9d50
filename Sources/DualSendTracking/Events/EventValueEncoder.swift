import DualSendCore
import Foundation

/// Encodes `Encodable` values directly as parameters, so that integers stay integers and a `Date` stays a date.
///
/// Keys are the coding keys. `Data` becomes base64; other single values are those of a dictionary of parameters. A
/// synthesized `encode(to:)` omits optionals that are `nil`. A non-finite double is kept; the tracker leaves it out and
/// reports it.
struct EventValueEncoder: Sendable {
  /// Encodes a value as an object.
  ///
  /// - Throws: errors of the value's `encode(to:)`; `EncodingError.invalidValue` if the value is not encoded as an
  ///   object.
  func parameters(_ value: some Encodable) throws -> [String: EventValue] {
    guard case .object(let members) = try self.value(value) else {
      throw EncodingError.invalidValue(
        value, EncodingError.Context(codingPath: [], debugDescription: "an event's parameters are an object"))
    }
    return members
  }

  /// Encodes any value.
  ///
  /// - Throws: errors of the value's `encode(to:)`.
  func value(_ value: some Encodable) throws -> EventValue {
    let slot = EncodedSlot()
    try ValueEncoder(slot: slot, codingPath: []).encode(value)
    return slot.value
  }
}

/// An encoder that writes into a slot.
struct ValueEncoder: Encoder, SingleValueEncodingContainer {
  let slot: EncodedSlot
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    slot.makeObject()
    return KeyedEncodingContainer(Members(slot: slot, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    slot.makeArray()
    return Elements(slot: slot, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() {
    slot.set(.null)
  }

  func encode(_ value: some Encodable) throws {
    if let leaf = EventValue.leaf(value) { slot.set(leaf) } else { try value.encode(to: self) }
  }
}

extension ValueEncoder {
  private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let slot: EncodedSlot
    let codingPath: [any CodingKey]

    private func encoder(_ key: any CodingKey) -> ValueEncoder {
      ValueEncoder(slot: slot.member(key.stringValue), codingPath: codingPath + [key])
    }

    func encodeNil(forKey key: Key) {
      slot.member(key.stringValue).set(.null)
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
      try encoder(key).encode(value)
    }

    func nestedContainer<Nested>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
      encoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      encoder(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder(SuperKey()) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
  }

  private struct Elements: UnkeyedEncodingContainer {
    let slot: EncodedSlot
    let codingPath: [any CodingKey]
    var count: Int { slot.count }

    private func encoder() -> ValueEncoder {
      let key = IndexKey(intValue: slot.count)
      return ValueEncoder(slot: slot.next(), codingPath: codingPath + [key])
    }

    func encodeNil() {
      slot.next().set(.null)
    }

    func encode(_ value: some Encodable) throws {
      try encoder().encode(value)
    }

    func nestedContainer<Nested>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
      encoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      encoder().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder() }
  }

  /// The key under which a subclass encodes its superclass.
  private struct SuperKey: CodingKey {
    let stringValue = "super"
    let intValue: Int? = nil

    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
  }

  private struct IndexKey: CodingKey {
    let index: Int
    var stringValue: String { String(index) }
    var intValue: Int? { index }

    init(intValue: Int) { index = intValue }
    init?(stringValue: String) { nil }
  }
}

// MARK: - Encoded slot

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
  ///
  /// By the converter of parameters, so that a value has one form however it is logged.
  static func leaf(_ value: any Encodable) -> EventValue? {
    switch value {
    case let data as Data: return .string(data.base64EncodedString())
    // Kept, so that the tracker leaves it out and reports it.
    case let number as Double where !number.isFinite: return .double(number)
    case let number as Float where !number.isFinite: return .double(Double(number))
    case is String, is Bool, is Double, is Float, is any BinaryInteger, is Date, is URL, is UUID, is Decimal:
      var converter = EventValueConverter()
      return converter.convert(any: value)
    default: return nil
    }
  }
}
