package import DualSendCore

/// An event as a recording has it, in any format: what is `nil` is not in the recording.
package struct RecordedEvent: Sendable, Hashable {
  package var id: String?
  /// Milliseconds since 1970-01-01T00:00:00Z.
  package var time: Int64?
  package var name: String
  package var payload: [String: EventValue]
  /// The user, or else the installation.
  package var unit: String?
  package var decision: CarriedDecision?

  /// The line of the old logger: `{"eventId", "name", "parameters", "unitID", "time", "decision"}`.
  package var legacyLine: EventValue {
    line(name: "name", payload: "parameters", time: "time", unit: "unitID")
  }

  /// The line that a collector stores: `{"eventId", "eventName", "eventTime", "payload", "decision"}`.
  package var wireLine: EventValue {
    line(name: "eventName", payload: "payload", time: "eventTime", unit: nil)
  }

  private func line(name nameKey: String, payload payloadKey: String, time timeKey: String, unit unitKey: String?)
    -> EventValue
  {
    var members: [String: EventValue] = [nameKey: .string(name), payloadKey: .object(payload)]
    // The same id is written in upper case by some clients, and in lower case by most.
    if let id { members["eventId"] = .string(EventID(id)?.description ?? id) }
    if let time { members[timeKey] = .int(time) }
    if let unit, let unitKey { members[unitKey] = .string(unit) }
    if let decision { members["decision"] = .string(decision.description) }
    return .object(members)
  }
}
