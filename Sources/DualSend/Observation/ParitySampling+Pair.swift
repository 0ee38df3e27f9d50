public import DualSendCore

extension ParitySampling {
  /// One event as both streams have it: what the old logger was told, and what the new tracker makes of it.
  public struct Pair: Sendable, Hashable {
    /// The event under its old name and keys. Values that JSON cannot hold are missing, as they are in ``new``.
    public let old: TrackingEvent
    /// The event under its new name and keys, with the id and the time of ``old``.
    public let new: TrackingEvent

    /// The old event as a line of JSON in the form in which `dualsend parity` reads the old stream; no line feed.
    public var oldLine: [UInt8] {
      var line: [String: EventValue] = [
        "eventId": .string(old.id.description), "name": .string(old.name), "parameters": .object(old.payload),
        "time": .int(old.time),
      ]
      line["decision"] = old.decision.map { .string($0.description) }
      return EventValue.object(line).canonicalJSON
    }

    /// The new event as a line of JSON in the form in which `dualsend parity` reads the new stream; no line feed.
    public var newLine: [UInt8] {
      var writer = CanonicalJSONWriter(capacity: 512)
      new.writeElement(to: &writer)
      return writer.bytes
    }

    /// Creates a pair.
    public init(old: TrackingEvent, new: TrackingEvent) {
      self.old = old
      self.new = new
    }
  }
}
