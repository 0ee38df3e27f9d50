/// A source of the rollout in force. A `DualSendTracker` reads it for each event.
///
/// ``RemoteConfigFetcher`` fetches a document from a web server. ``MutableRollout`` is for teams with their own channel. A
/// ``RolloutSnapshot`` never changes.
public protocol RolloutSource: Sendable {
  /// The rollout in force.
  ///
  /// Read on the thread of each call site, concurrently. Must return at once, without I/O, and give one complete revision.
  var snapshot: RolloutSnapshot { get }
}

extension RolloutSnapshot: RolloutSource {
  /// This snapshot.
  public var snapshot: RolloutSnapshot { self }
}
