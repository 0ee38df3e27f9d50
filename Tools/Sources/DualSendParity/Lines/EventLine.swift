import DualSendCore
import DualSendJSONLines
import Foundation

/// The two forms of lines a stream can have.
package enum StreamForm: Sendable, Hashable {
  /// `{"eventId"?, "name", "parameters", "unitID"?, "time"?, "decision"?}`: what the old logger was told.
  case legacy
  /// `{"eventId", "eventName", "eventTime", "payload", "decision"?}`: what the collector received.
  case wire
}

/// The members of one line that matter here, still as text, found without reading their values.
///
/// A million pairs are joined by a few bytes of each line; only lines that found their partner are read in full.
struct EventLine {
  /// Where the members lie, small enough to be kept with the line.
  struct Places: BitwiseCopyable {
    /// Where a value lies; an absent one is empty.
    struct Place: BitwiseCopyable {
      var start: UInt32 = 0
      var end: UInt32 = 0

      var range: Range<Int>? { start < end ? Int(start)..<Int(end) : nil }

      /// `false` if the place is taken.
      mutating func fill(_ range: Range<Int>) -> Bool {
        guard start == end else { return false }
        (start, end) = (UInt32(range.lowerBound), UInt32(range.upperBound))
        return true
      }
    }

    var id = Place()
    var name = Place()
    var unit = Place()
    var time = Place()
    var values = Place()
    var decision = Place()
  }

  let bytes: UnsafeBufferPointer<UInt8>
  let places: Places

  /// A line whose members were found before.
  init(_ bytes: UnsafeBufferPointer<UInt8>, places: Places) {
    self.bytes = bytes
    self.places = places
  }

  /// Finds the members; `nil` if the line is not an object with a name, or has one of these members twice.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, form: StreamForm) {
    var scanner = JSONScanner(bytes: bytes, range: 0..<bytes.count)
    guard bytes.count <= UInt32.max, scanner.openObject() else { return nil }
    var places = Places()
    while let member = scanner.nextMember() {
      let key = UnsafeBufferPointer(rebasing: bytes[member.key])
      guard Self.note(member.value, keyed: key, form, in: &places) else { return nil }
    }
    guard scanner.isComplete, places.name.range != nil else { return nil }
    self.init(bytes, places: places)
  }

  /// `false` if the member was there before.
  private static func note(
    _ value: Range<Int>, keyed key: UnsafeBufferPointer<UInt8>, _ form: StreamForm, in places: inout Places
  ) -> Bool {
    if key.spells("eventId") { return places.id.fill(value) }
    if key.spells("decision") { return places.decision.fill(value) }
    switch form {
    case .legacy:
      if key.spells("name") { return places.name.fill(value) }
      if key.spells("parameters") { return places.values.fill(value) }
      if key.spells("unitID") { return places.unit.fill(value) }
      if key.spells("time") { return places.time.fill(value) }
    case .wire:
      if key.spells("eventName") { return places.name.fill(value) }
      if key.spells("payload") { return places.values.fill(value) }
      if key.spells("eventTime") { return places.time.fill(value) }
    }
    return true
  }

  /// The id as it is written, without its quotes; `nil` if the line has none.
  var rawEventID: UnsafeBufferPointer<UInt8>? {
    guard let id = places.id.range, id.count > 2, bytes[id.lowerBound] == UInt8(ascii: "\"") else { return nil }
    return text((id.lowerBound + 1)..<(id.upperBound - 1))
  }

  /// The id's text; `nil` if the line has none.
  var eventID: String? { string(places.id) }

  var eventName: String? { string(places.name) }

  /// The name as it is written, with its quotes; `nil` if it may have been written otherwise.
  var plainName: UnsafeBufferPointer<UInt8>? {
    guard let name = places.name.range.map(text), name.first == UInt8(ascii: "\""), name.count > 2,
      ScalarText(name).isPlain
    else { return nil }
    return name
  }

  func text(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[range])
  }

  /// What the line says that its app decided, as it is written; `nil` if it does not say.
  var decision: UnsafeBufferPointer<UInt8>? { places.decision.range.map(text) }

  /// Whether the line says whose event it is, or that it has no unit.
  var namesUnit: Bool { places.unit.range != nil }

  var unitID: String? { string(places.unit) }

  /// Milliseconds since 1970; `nil` if the line has no time.
  var milliseconds: Int64? {
    switch places.time.range.flatMap({ ScalarText(text($0)).value }) {
    case .int(let milliseconds)?: milliseconds
    case .double(let milliseconds)?: Int64(exactly: milliseconds.rounded())
    case .string(let text)?: Timestamp.milliseconds(text: text)
    default: nil
    }
  }

  /// Milliseconds since 1970 if they are written as a whole number of at most 15 characters.
  var plainMilliseconds: Int64? {
    guard let text = places.time.range.map(text), text.count <= 15 else { return nil }
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = text.dropFirst(isNegative ? 1 : 0)
    var milliseconds: Int64 = 0
    for byte in digits {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      milliseconds = milliseconds * 10 + Int64(digit)
    }
    return digits.isEmpty ? nil : isNegative ? -milliseconds : milliseconds
  }

  /// The event's values, none if the line has no such member; `nil` if they cannot be read.
  var payload: [String: EventValue]? {
    guard let values = places.values.range else { return [:] }
    guard case .object(let members)? = value(values) else { return nil }
    return members
  }

  /// Reads one value of the line; `nil` if it is not JSON.
  func value(_ range: Range<Int>) -> EventValue? {
    try? JSONReader().value(text(range))
  }

  private func string(_ place: Places.Place) -> String? {
    guard let range = place.range else { return nil }
    if case .string(let text)? = ScalarText(text(range)).value, !text.isEmpty { return text }
    return nil
  }
}
