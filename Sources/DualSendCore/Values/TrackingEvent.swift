/// One event: what happened, when, and with which values.
public struct TrackingEvent: Sendable, Hashable {
  /// Stable from capture to the collector; the same event sent twice carries the same id.
  public let id: EventID
  /// Milliseconds since 1970-01-01T00:00:00Z, by the clock of the device.
  public let time: Int64
  /// The event's name, as its sender knows it.
  public let name: String
  /// The event's values.
  public let payload: [String: EventValue]
  /// What the app decided for the event; `nil` where events are not stamped.
  public let decision: DecisionStamp?

  /// Creates an event.
  public init(
    id: EventID, time: Int64, name: String, payload: [String: EventValue], decision: DecisionStamp? = nil
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

  /// Whether both are the same; texts and keys are if their UTF-8 bytes are.
  public static func == (left: TrackingEvent, right: TrackingEvent) -> Bool {
    left.id == right.id && left.time == right.time && left.name.isExactly(right.name)
      && left.payload.hasExactly(right.payload) && left.decision == right.decision
  }
}

extension TrackingEvent {
  /// Appends the event's wire form, `{"decision":…,"eventId":…,"eventName":…,"eventTime":…,"payload":{…}}`, as canonical
  /// JSON; an event that is not stamped has no `decision`.
  public func writeElement(to writer: inout CanonicalJSONWriter) {
    Self.writeElement(id: id, time: time, name: name, decision: decision, to: &writer) { $0.object(payload) }
  }

  /// Appends the wire form of an event whose payload is not converted yet.
  public static func writeElement(
    id: EventID, time: Int64, name: String, decision: DecisionStamp? = nil, to writer: inout CanonicalJSONWriter,
    payload: (inout CanonicalJSONWriter) -> Void
  ) {
    writer.raw("{")
    if let decision {
      writer.raw("\"decision\":")
      writer.string(decision.description)
      writer.raw(",")
    }
    writer.raw("\"eventId\":\"")
    id.appendText(to: &writer.bytes)
    writer.raw("\",\"eventName\":")
    writer.string(name)
    writer.raw(",\"eventTime\":")
    writer.integer(time)
    writer.raw(",\"payload\":")
    payload(&writer)
    writer.raw("}")
  }
}
