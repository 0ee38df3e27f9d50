import DualSend
import DualSendCore
import DualSendRollout

/// An event from the old log.
struct LiveOldEvent: Sendable {
  let id: EventID
  /// Milliseconds since 1970-01-01T00:00:00Z; `nil` for the time of arrival.
  let time: Int64?
  let name: String
  let parameters: [String: EventValue]
  /// The unit, or that there is none; `nil` if unknown.
  let unit: String??
  /// The app's decision; `nil` if unknown.
  var decision: CarriedDecision?
}

/// An event from an app's debug mirror.
struct LiveMirrored: Sendable {
  /// The reason why an element of `pairs` is malformed.
  struct Fault: Error {
    /// The member that is missing or of the wrong type; `nil` for the element itself.
    let member: String?
  }

  let id: EventID
  let time: Int64?
  let unit: String?
  let old: (name: String, parameters: [String: EventValue])?
  let new: (name: String, payload: [String: EventValue])?
  let decision: (outcome: SinkDecision.Outcome, reason: String?)?

  /// Reads an element of `pairs`.
  init(_ value: EventValue) throws(Fault) {
    guard case .object(let members) = value else { throw Fault(member: nil) }
    guard case .string(let idText)? = members["id"], let id = EventID(idText) else { throw Fault(member: "id") }
    self.id = id
    switch members["time"] {
    case nil, .null: time = nil
    case .int(let milliseconds): time = milliseconds
    default: throw Fault(member: "time")
    }
    switch members["unit"] {
    case nil, .null: unit = nil
    case .string(let text): unit = text
    default: throw Fault(member: "unit")
    }
    guard let old = Self.side(members["old"], "parameters") else { throw Fault(member: "old") }
    guard let new = Self.side(members["new"], "payload"), old != nil || new != nil else { throw Fault(member: "new") }
    guard let decision = Self.decision(members["decision"]) else { throw Fault(member: "decision") }
    self.old = old.map { (name: $0.name, parameters: $0.values) }
    self.new = new.map { (name: $0.name, payload: $0.values) }
    self.decision = decision
  }

  private static func side(_ value: EventValue?, _ key: String) -> (name: String, values: [String: EventValue])?? {
    switch value {
    case nil, .null: return .some(nil)
    case .object(let members):
      guard case .string(let name)? = members["name"], case .object(let values)? = members[key] else { return nil }
      return (name, values)
    default: return nil
    }
  }

  private static func decision(_ value: EventValue?) -> (outcome: SinkDecision.Outcome, reason: String?)?? {
    switch value {
    case nil, .null: return .some(nil)
    case .object(let members):
      guard case .string(let word)? = members["outcome"], let outcome = SinkDecision.Outcome(rawValue: word) else {
        return nil
      }
      if case .string(let reason)? = members["reason"] { return (outcome, reason) }
      return (outcome, nil)
    default: return nil
    }
  }
}

/// The sources of events.
enum LiveSource: String, Sendable, Hashable, CaseIterable {
  case collector, oldLog, mirror
}

/// Malformed events, and events without an id.
struct LiveMalformed: Sendable {
  var count = 0
  /// The place of the first one, and why it is not an event.
  var first: String?

  mutating func add(_ others: LiveMalformed) {
    count += others.count
    first = first ?? others.first
  }
}

/// The counts of one source.
struct LiveSourceCounts: Sendable {
  var events = 0
  /// Sides that had already arrived.
  var duplicates = 0
  var malformed = LiveMalformed()
  /// What will not be read of its file.
  var note: String?
  /// Refused requests, and the reason for the last one.
  var refusals = 0
  var lastRefusal: String?

  /// The source in `api/state`.
  func json(of source: LiveSource) -> EventValue {
    var members: [String: EventValue] = [
      "kind": .string(source.rawValue), "events": .int(Int64(events)), "duplicates": .int(Int64(duplicates)),
      "malformed": .int(Int64(malformed.count)),
    ]
    members["note"] = note.map { .string($0.printable(limit: PrintableText.lineLimit)) }
    members["firstMalformed"] = malformed.first.map { .string($0.printable(limit: PrintableText.lineLimit)) }
    if let lastRefusal { (members["refused"], members["lastRefusal"]) = (.int(Int64(refusals)), .string(lastRefusal)) }
    return .object(members)
  }
}
