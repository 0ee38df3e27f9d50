extension TrackerConfiguration {
  /// When pending events are sent, and how many at once.
  public struct Digest: Sendable, Hashable {
    /// When sending starts. It continues until no event is pending.
    public var start: FlowControl
    /// The most events in one request.
    public var batchEvents: Int
    /// The most bytes in one request, before compression. A larger event is sent alone.
    public var batchBytes: Int

    /// Creates a digest. By default it starts at 50 events or after 5 s, with at most 500 events or 256 KiB in a
    /// request.
    public init(
      start: FlowControl = .count(50).or(.interval(.seconds(5))), batchEvents: Int = 500, batchBytes: Int = 256 << 10
    ) {
      self.start = start
      self.batchEvents = batchEvents
      self.batchBytes = batchBytes
    }
  }
}
