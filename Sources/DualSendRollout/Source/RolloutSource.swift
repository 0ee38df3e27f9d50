/// Where the rollout in force comes from. A `DualSendTracker` asks it for each event, so there is one place that says what
/// is in force, and nobody has to carry changes from one object to another.
///
/// ``RemoteConfigFetcher`` is one, for a document on a web server. ``MutableRollout`` is one, for a team that has its own
/// channel. A ``RolloutSnapshot`` is one that never changes.
public protocol RolloutSource: Sendable {
  /// The rollout in force.
  ///
  /// Read on the thread of each call site, from many threads at once: it returns at once, without I/O. Two reads may give
  /// two revisions, one read never a mixture.
  var snapshot: RolloutSnapshot { get }
}

extension RolloutSnapshot: RolloutSource {
  /// This snapshot.
  public var snapshot: RolloutSnapshot { self }
}
