public import DualSendCore

extension Mutation {
  /// An event on its way to one sink. A ``Mutation`` may rename it, change its parameters, or drop it.
  public struct Event: Sendable {
    /// The name under which the sink gets it.
    public var name: String
    /// The parameters under the keys that the sink gets.
    public var parameters: [String: EventValue]
    /// The id; the same in every sink.
    public let id: EventID
    /// When it happened, in milliseconds since 1970-01-01T00:00:00Z.
    public let time: Int64
    /// The sink; `nil` for a mutation that runs on the caller's thread, before there are sinks.
    public let sink: Sink.ID?
    /// The typed event that was logged; `nil` for a name with a dictionary.
    public let original: (any TypedEvent)?
    /// Whether a mutation has dropped it.
    public private(set) var isDropped = false

    /// Creates an event, to try a mutation with.
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

    /// Keeps the event from the sink. The sink counts it as dropped (`DropReason.redacted`); later mutations do not run.
    public mutating func drop() {
      isDropped = true
    }
  }
}
