public import EventModel

/// One event as both streams have it: what the old logger was told, and what the new tracker makes of it.
public struct ParityObservation: Sendable, Hashable {
  /// The event under its old name and keys. Values that JSON cannot hold are missing, as they are in ``new``.
  public let old: Event
  /// The event under its new name and keys, with the id and the time of ``old``.
  public let new: Event

  /// Creates an observation.
  public init(old: Event, new: Event) {
    self.old = old
    self.new = new
  }
}
