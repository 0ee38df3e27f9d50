/// The sinks of an event without a unit ID where the decision needs a bucket.
public enum MissingUnitOutcome: String, Sendable, Hashable, CaseIterable {
  /// The old logger only.
  case old
  /// The new tracker only.
  case new
  /// Both.
  case both
}
