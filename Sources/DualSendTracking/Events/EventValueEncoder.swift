import DualSendCore

/// Encodes `Encodable` values directly as parameters, so that integers stay integers and a `Date` stays a date.
///
/// Keys are the coding keys. `Data` becomes base64, `URL` and `UUID` their text, and `Decimal` the nearest double. A
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
