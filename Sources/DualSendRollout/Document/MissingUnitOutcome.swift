/// Which sinks a unit-less event reaches where the decision would need a bucket.
public enum MissingUnitOutcome: String, Sendable, Hashable, CaseIterable {
  /// The old logger only.
  case old
  /// The new tracker only.
  case new
  /// Both.
  case both
}
