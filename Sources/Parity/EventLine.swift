import EventModel
import Foundation
import KeyRemapping

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
  private let bytes: UnsafeBufferPointer<UInt8>
  private var id: Range<Int>?
  private var name: Range<Int>?
  private var unit: Range<Int>?
  private var time: Range<Int>?
  private var values: Range<Int>?

  /// - Returns: `nil` if the line is not an object with a name.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, form: StreamForm) {
    self.bytes = bytes
    var scanner = MemberScanner(bytes: bytes)
    guard scanner.open() else { return nil }
    while let member = scanner.next() {
      switch (member.key, form) {
      case ("eventId", _): id = member.value
      case ("name", .legacy), ("eventName", .wire): name = member.value
      case ("unitID", .legacy): unit = member.value
      case ("time", .legacy), ("eventTime", .wire): time = member.value
      case ("parameters", .legacy), ("payload", .wire): values = member.value
      default: break
      }
    }
    guard scanner.isComplete, name != nil else { return nil }
  }

  /// The id as it is written, without its quotes; `nil` if the line has none.
  var rawEventID: Slice<UnsafeBufferPointer<UInt8>>? {
    guard let id, id.count > 2, bytes[id.lowerBound] == UInt8(ascii: "\"") else { return nil }
    return bytes[(id.lowerBound + 1)..<(id.upperBound - 1)]
  }

  /// The id's text; `nil` if the line has none.
  var eventID: String? { id.flatMap(string) }

  var eventName: String? { name.flatMap(string) }

  var unitID: String? { unit.flatMap(string) }

  /// Milliseconds since 1970; `nil` if the line has no time.
  var milliseconds: Int64? {
    switch time.flatMap(value) {
    case .int(let milliseconds)?: milliseconds
    case .double(let milliseconds)?: Int64(exactly: milliseconds.rounded())
    case .string(let text)?: Timestamp.milliseconds(text: text)
    default: nil
    }
  }

  /// The event's values, none if the line has no such member; `nil` if they cannot be read.
  var payload: [String: EventValue]? {
    guard let values else { return [:] }
    guard case .object(let members)? = value(values) else { return nil }
    return members
  }

  private func value(_ range: Range<Int>) -> EventValue? {
    try? JSONReader().value(UnsafeBufferPointer(rebasing: bytes[range]))
  }

  private func string(_ range: Range<Int>) -> String? {
    if case .string(let text)? = value(range), !text.isEmpty { return text }
    return nil
  }
}
