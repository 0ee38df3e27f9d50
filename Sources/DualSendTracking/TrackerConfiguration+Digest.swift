extension TrackerConfiguration {
  /// When waiting events are sent, and how many at once.
  public struct Digest: Sendable, Hashable {
    /// When sending starts; it goes on until nothing waits.
    public var start: FlowControl
    /// The most events in one request.
    public var batchEvents: Int
    /// The most bytes in one request, before compression. A single larger event still goes, alone.
    public var batchBytes: Int

    /// Creates a rule; by default 50 events or 5 s, and 500 events or 256 KiB a request.
    public init(
      start: FlowControl = .count(50).or(.interval(.seconds(5))), batchEvents: Int = 500, batchBytes: Int = 256 << 10
    ) {
      self.start = start
      self.batchEvents = batchEvents
      self.batchBytes = batchBytes
    }
  }
}
