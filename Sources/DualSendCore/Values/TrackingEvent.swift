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

  /// Creates an event.
  public init(id: EventID, time: Int64, name: String, payload: [String: EventValue]) {
    self.id = id
    self.time = time
    self.name = name
    self.payload = payload
  }

  /// Whether both are the same; texts and keys are if their UTF-8 bytes are.
  public static func == (left: TrackingEvent, right: TrackingEvent) -> Bool {
    left.id == right.id && left.time == right.time && left.name.isExactly(right.name)
      && left.payload.hasExactly(right.payload)
  }
}

extension TrackingEvent {
  /// Appends the event's wire form, `{"eventId":…,"eventName":…,"eventTime":…,"payload":{…}}`, as canonical JSON.
  public func writeElement(to writer: inout CanonicalJSONWriter) {
    Self.writeElement(id: id, time: time, name: name, to: &writer) { $0.object(payload) }
  }

  /// Appends the wire form of an event whose payload is not converted yet.
  public static func writeElement(
    id: EventID, time: Int64, name: String, to writer: inout CanonicalJSONWriter,
    payload: (inout CanonicalJSONWriter) -> Void
  ) {
    writer.raw("{\"eventId\":\"")
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
