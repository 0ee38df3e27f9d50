import DualSendCommandLine
import DualSendCore
import Foundation

/// The two forms of a stream's lines.
package enum StreamForm: Sendable, Hashable {
  /// `{"eventId"?, "name", "parameters", "unitID"?, "time"?, "decision"?}`: the calls of the old logger.
  case legacy
  /// `{"eventId", "eventName", "eventTime", "payload", "decision"?}`: the events that the collector received.
  case wire
}

/// The ranges of the relevant members of one line, found without parsing their values.
///
/// Lines are joined by these texts; only pairs are parsed.
struct EventLine {
  /// The ranges of the members, stored with the line.
  struct Places: BitwiseCopyable {
    /// The range of a value; empty if it is absent.
    struct Place: BitwiseCopyable {
      var start: UInt32 = 0
      var end: UInt32 = 0

      init() {}

      init(_ range: Range<Int>) { (start, end) = (UInt32(range.lowerBound), UInt32(range.upperBound)) }

      var range: Range<Int>? { start < end ? Int(start)..<Int(end) : nil }

      /// Sets the range; `false` if it is already set.
      mutating func fill(_ range: Range<Int>) -> Bool {
        guard start == end else { return false }
        self = Place(range)
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

  /// Creates a line whose members are already known.
  init(_ bytes: UnsafeBufferPointer<UInt8>, places: Places) {
    self.bytes = bytes
    self.places = places
  }

  /// Finds the members; `nil` if the line is not an object with a name, or has a member twice.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, form: StreamForm) {
    var scanner = JSONScanner(bytes: bytes, range: 0..<bytes.count)
    guard bytes.count <= UInt32.max, scanner.openObject() else { return nil }
    var places = Places()
    while let member = scanner.nextMember() {
      let key = UnsafeBufferPointer(rebasing: bytes[member.key])
      guard Self.store(member.value, keyed: key, form, in: &places) else { return nil }
    }
    guard scanner.isComplete, places.name.range != nil else { return nil }
    self.init(bytes, places: places)
  }

  /// A line of which nothing can be read but its id, so that its event's other line is not alone; `nil` without an id.
  init?(brokenIn bytes: UnsafeBufferPointer<UInt8>) {
    var scanner = JSONScanner(bytes: bytes, range: 0..<bytes.count)
    guard bytes.count <= UInt32.max, scanner.openObject() else { return nil }
    var places = Places()
    while places.id.range == nil, let member = scanner.nextMember() {
      if bytes[member.key].elementsEqual("eventId".utf8) { places.id = Places.Place(member.value) }
    }
    self.init(bytes, places: places)
    if rawEventID == nil { return nil }
  }

  /// Stores the range of a relevant member; `false` if it is repeated.
  private static func store(
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

  /// The raw text of the id, without quotes; `nil` if there is none.
  var rawEventID: UnsafeBufferPointer<UInt8>? {
    guard let id = places.id.range, id.count > 2, bytes[id.lowerBound] == UInt8(ascii: "\"") else { return nil }
    return text((id.lowerBound + 1)..<(id.upperBound - 1))
  }

  /// The id; `nil` if there is none.
  var eventID: String? { string(places.id) }

  var eventName: String? { string(places.name) }

  /// The raw text of the name, with quotes; `nil` if it has escapes or is not ASCII.
  var plainName: UnsafeBufferPointer<UInt8>? {
    guard let name = places.name.range.map(text), name.first == UInt8(ascii: "\""), name.count > 2,
      ScalarText(name).isPlain
    else { return nil }
    return name
  }

  func text(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[range])
  }

  /// The raw text of the decision; `nil` if there is none.
  var decision: UnsafeBufferPointer<UInt8>? { places.decision.range.map(text) }

  /// Whether the line has a `unitID`, even if it is `null`.
  var namesUnit: Bool { places.unit.range != nil }

  var unitID: String? { string(places.unit) }

  /// The time in milliseconds since 1970; `nil` if there is none.
  var milliseconds: Int64? {
    switch places.time.range.flatMap({ ScalarText(text($0)).value }) {
    case .int(let milliseconds)?: milliseconds
    case .double(let milliseconds)?: Int64(exactly: milliseconds.rounded())
    case .string(let text)?: Timestamp.milliseconds(text: text)
    default: nil
    }
  }

  /// The time in milliseconds since 1970, if its text is an integer of at most 15 characters.
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

  /// The payload, empty if the line has none; `nil` if it is not a valid object.
  var payload: [String: EventValue]? {
    guard let values = places.values.range else { return [:] }
    guard case .object(let members)? = value(values) else { return nil }
    return members
  }

  /// Parses a value; `nil` if it is not valid JSON.
  func value(_ range: Range<Int>) -> EventValue? {
    try? JSONReader().value(text(range))
  }

  private func string(_ place: Places.Place) -> String? {
    guard let range = place.range else { return nil }
    if case .string(let text)? = ScalarText(text(range)).value, !text.isEmpty, !text.isSlowToHash { return text }
    return nil
  }
}
