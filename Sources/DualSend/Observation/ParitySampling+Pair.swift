public import DualSendCore

extension ParitySampling {
  /// Both forms of an event: the old logger's and the new tracker's.
  public struct Pair: Sendable, Hashable {
    /// The event with its old name and keys. Values that JSON cannot hold are missing, as in ``new``.
    public let old: TrackingEvent
    /// The event with its new name and keys, and the id and time of ``old``.
    public let new: TrackingEvent

    /// The old event as a line of JSON for `dualsend parity`, without a line feed.
    public var oldLine: [UInt8] {
      var line: [String: EventValue] = [
        "eventId": .string(old.id.description), "name": .string(old.name), "parameters": .object(old.payload),
        "time": .int(old.time),
      ]
      line["decision"] = old.decision.map { .string($0.description) }
      return EventValue.object(line).canonicalJSON
    }

    /// The new event as a line of JSON for `dualsend parity`, without a line feed.
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
