import DualSendCore

/// Turns `Encodable` values into parameters, without a detour through bytes: integers stay integers, a `Date` a date.
///
/// Keys are the type's coding keys. `Data` becomes base 64, a `URL` or `UUID` its text, a `Decimal` its nearest double; an
/// optional that is `nil` is left out where the synthesized `encode(to:)` leaves it out. A double that is not finite stays
/// one: the tracker leaves it out and reports it.
struct EventValueEncoder: Sendable {
  /// Encodes a value that encodes itself as an object.
  ///
  /// - Throws: what the value's `encode(to:)` throws; `EncodingError.invalidValue` for a value that is no object.
  func parameters(_ value: some Encodable) throws -> [String: EventValue] {
    guard case .object(let members) = try self.value(value) else {
      throw EncodingError.invalidValue(
        value, EncodingError.Context(codingPath: [], debugDescription: "an event's parameters are an object"))
    }
    return members
  }

  /// Encodes any value.
  ///
  /// - Throws: what the value's `encode(to:)` throws.
  func value(_ value: some Encodable) throws -> EventValue {
    let slot = EncodedSlot()
    try ValueEncoder(slot: slot, codingPath: []).encode(value)
    return slot.value
  }
}
