@_spi(Tools) public import DualSendCore

extension ParitySampling {
  /// One event as both streams have it: what the old logger was told, and what the new tracker makes of it.
  public struct Pair: Sendable, Hashable {
    /// The event under its old name and keys. Values that JSON cannot hold are missing, as they are in ``new``.
    public let old: TrackingEvent
    /// The event under its new name and keys, with the id and the time of ``old``.
    public let new: TrackingEvent

    /// Creates an observation.
    public init(old: TrackingEvent, new: TrackingEvent) {
      self.old = old
      self.new = new
    }
  }
}
