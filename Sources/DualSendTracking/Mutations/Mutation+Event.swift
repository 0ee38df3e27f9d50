public import DualSendCore

extension Mutation {
  /// An event on its way to one sink. A ``Mutation`` may rename it, change its parameters, or drop it.
  public struct Event: Sendable {
    /// The name for the sink.
    public var name: String
    /// The parameters, with the sink's keys.
    public var parameters: [String: EventValue]
    /// The id; the same in every sink.
    public let id: EventID
    /// When it happened, in milliseconds since 1970-01-01T00:00:00Z.
    public let time: Int64
    /// The sink; `nil` for a mutation on the caller's thread, which runs once for all sinks.
    public let sink: Sink.ID?
    /// The typed event that was logged; `nil` for a name with a dictionary.
    public let original: (any TypedEvent)?
    /// Whether a mutation has dropped it.
    public private(set) var isDropped = false

    /// Creates an event for testing a mutation.
    public init(
      name: String, parameters: [String: EventValue], id: EventID, time: Int64, sink: Sink.ID? = nil,
      original: (any TypedEvent)? = nil
    ) {
      self.name = name
      self.parameters = parameters
      self.id = id
      self.time = time
      self.sink = sink
      self.original = original
    }

    /// Drops the event for the sink, which counts it (`DropReason.redacted`). Later mutations do not run.
    public mutating func drop() {
      isDropped = true
    }
  }
}
