/// What a collector has seen since it was created.
public struct CollectorTotals: Sendable, Hashable {
  /// Requests to `/events`, answered rightly or not.
  public internal(set) var requests = 0
  /// The bytes of their bodies as they came over the wire.
  public internal(set) var bytes = 0
  /// Requests that a fault struck.
  public internal(set) var faults = 0
  /// Events stored, each id once.
  public internal(set) var accepted = 0
  /// Events that came again with an id stored before.
  public internal(set) var duplicates = 0
  /// Events that the collector named in `rejected`.
  public internal(set) var rejected = 0
  /// Array elements that are not events, and bodies that are not arrays of events.
  public internal(set) var malformed = 0
}
