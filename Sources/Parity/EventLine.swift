import EventModel
import Foundation

/// The two forms of lines a stream can have.
public enum StreamForm: Sendable, Hashable {
  /// `{"eventId"?, "name", "parameters", "unitID"?, "time"?}`: what the old logger was told.
  case legacy
  /// `{"eventId", "eventName", "eventTime", "payload"}`: what the collector received.
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
    var scanner = MemberScanner(bytes: bytes, range: 0..<bytes.count)
    guard bytes.count <= UInt32.max, scanner.open() else { return nil }
    var places = Places()
    while let member = scanner.next() {
      guard Self.note(member, keyed: String(decoding: bytes[member.key], as: UTF8.self), form, in: &places) else {
        return nil
      }
    }
    guard scanner.isComplete, places.name.range != nil else { return nil }
    self.init(bytes, places: places)
  }

  /// `false` if the member was there before.
  private static func note(
    _ member: MemberScanner.Member, keyed key: String, _ form: StreamForm, in places: inout Places
  ) -> Bool {
    switch (key, form) {
    case ("eventId", _): places.id.fill(member.value)
    case ("name", .legacy), ("eventName", .wire): places.name.fill(member.value)
    case ("unitID", .legacy): places.unit.fill(member.value)
    case ("time", .legacy), ("eventTime", .wire): places.time.fill(member.value)
    case ("parameters", .legacy), ("payload", .wire): places.values.fill(member.value)
    default: true
    }
  }

  /// The id as it is written, without its quotes; `nil` if the line has none.
  var rawEventID: Slice<UnsafeBufferPointer<UInt8>>? {
    guard let id = places.id.range, id.count > 2, bytes[id.lowerBound] == UInt8(ascii: "\"") else { return nil }
    return bytes[(id.lowerBound + 1)..<(id.upperBound - 1)]
  }

  /// The id's text; `nil` if the line has none.
  var eventID: String? { string(places.id) }

  var eventName: String? { string(places.name) }

  var unitID: String? { string(places.unit) }

  /// Milliseconds since 1970; `nil` if the line has no time.
  var milliseconds: Int64? {
    switch places.time.range.flatMap(value) {
    case .int(let milliseconds)?: milliseconds
    case .double(let milliseconds)?: Int64(exactly: milliseconds.rounded())
    case .string(let text)?: Timestamp.milliseconds(text: text)
    default: nil
    }
  }

  /// The event's values, none if the line has no such member; `nil` if they cannot be read.
  var payload: [String: EventValue]? {
    guard let values = places.values.range else { return [:] }
    guard case .object(let members)? = value(values) else { return nil }
    return members
  }

  /// Reads one value of the line; `nil` if it is not JSON.
  func value(_ range: Range<Int>) -> EventValue? {
    try? JSONReader().value(UnsafeBufferPointer(rebasing: bytes[range]))
  }

  private func string(_ place: Places.Place) -> String? {
    guard let range = place.range else { return nil }
    if range.count > 2, bytes[range.lowerBound] == UInt8(ascii: "\""), hasPlainText(range) {
      return String(decoding: bytes[(range.lowerBound + 1)..<(range.upperBound - 1)], as: UTF8.self)
    }
    if case .string(let text)? = value(range), !text.isEmpty { return text }
    return nil
  }

  /// Whether the text is JSON beyond doubt: a string of plain ASCII, a short integer, or a literal.
  func hasPlainText(_ range: Range<Int>) -> Bool {
    let text = bytes[range]
    switch bytes[range.lowerBound] {
    case UInt8(ascii: "\""):
      return text.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
    case UInt8(ascii: "1")...UInt8(ascii: "9"):
      return text.count < 19 && text.allSatisfy { (48...57).contains($0) }
    case UInt8(ascii: "0"): return text.count == 1
    case UInt8(ascii: "t"): return text.elementsEqual("true".utf8)
    case UInt8(ascii: "f"): return text.elementsEqual("false".utf8)
    case UInt8(ascii: "n"): return text.elementsEqual("null".utf8)
    default: return false
    }
  }
}
