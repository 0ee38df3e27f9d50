/// One event: its name, time and values.
public struct TrackingEvent: Sendable, Hashable {
  /// The event's id, the same each time the event is sent.
  public let id: EventID
  /// Milliseconds since 1970-01-01T00:00:00Z, by the device's clock.
  public let time: Int64
  /// The event's name.
  public let name: String
  /// The event's values.
  public let payload: [String: EventValue]
  /// The decision for the event; `nil` if events carry none.
  public let decision: CarriedDecision?

  /// Creates an event.
  public init(
    id: EventID, time: Int64, name: String, payload: [String: EventValue], decision: CarriedDecision? = nil
  ) {
    self.id = id
    self.time = time
    self.name = name
    self.payload = payload
    self.decision = decision
  }

  /// The same event under another name, with other values.
  package func with(name: String, payload: [String: EventValue]) -> TrackingEvent {
    TrackingEvent(id: id, time: time, name: name, payload: payload, decision: decision)
  }

  /// Compares all properties. Texts and keys are equal if their UTF-8 bytes are.
  public static func == (left: TrackingEvent, right: TrackingEvent) -> Bool {
    left.id == right.id && left.time == right.time && left.name.isExactly(right.name)
      && left.payload.hasExactly(right.payload) && left.decision == right.decision
  }
}

extension TrackingEvent {
  /// Appends the event's wire form, `{"decision":…,"eventId":…,"eventName":…,"eventTime":…,"payload":{…}}`, as
  /// canonical JSON. An event that carries no decision has no `decision`.
  package func writeElement(to writer: inout CanonicalJSONWriter) {
    Self.writeElement(id: id, time: time, name: name, decision: decision, to: &writer) { $0.object(payload) }
  }

  /// Appends the wire form of an event. The closure writes the payload.
  package static func writeElement(
    id: EventID, time: Int64, name: String, decision: CarriedDecision? = nil, to writer: inout CanonicalJSONWriter,
    payload: (inout CanonicalJSONWriter) -> Void
  ) {
    writer.raw("{")
    if let decision {
      writer.raw("\"decision\":")
      writer.string(decision.description)
      writer.raw(",")
    }
    writer.raw("\"eventId\":\"")
    id.appendText(to: &writer)
    writer.raw("\",\"eventName\":")
    writer.string(name)
    writer.raw(",\"eventTime\":")
    writer.integer(time)
    writer.raw(",\"payload\":")
    payload(&writer)
    writer.raw("}")
  }
}
