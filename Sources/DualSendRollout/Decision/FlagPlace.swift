/// The part of a document that decides a flag.
public enum FlagPlace: Hashable, Sendable {
  /// The document's top level.
  case topLevel
  /// The rule at this position, counted from 0.
  case rule(Int)

  var reason: SinkDecision.Reason {
    switch self {
    case .topLevel: .topLevel
    case .rule(let index): .rule(index)
    }
  }
}

/// The places that decide the two flags.
public struct FlagPlaces: Hashable, Sendable {
  /// The place that decides about the old logger.
  public internal(set) var oldLogger = FlagPlace.topLevel
  /// The place that decides about the new tracker.
  public internal(set) var newTracker = FlagPlace.topLevel
}

/// The shares in force for each of the two flags, as numbers of buckets.
public struct FlagShares: Hashable, Sendable {
  /// Buckets that keep the old logger.
  public internal(set) var oldLogger: Int
  /// Buckets that have the new tracker.
  public internal(set) var newTracker: Int

  /// The lowest bucket that has the old logger.
  var oldThreshold: Int { RolloutBucket.count - oldLogger }
  /// The lowest bucket that does not have the new tracker.
  var newThreshold: Int { newTracker }

  /// Whether both flags are 0 % or 100 %, so that every bucket has the same outcome.
  var needNoBucket: Bool {
    (oldLogger == 0 || oldLogger == RolloutBucket.count) && (newTracker == 0 || newTracker == RolloutBucket.count)
  }

  func sinks(in bucket: RolloutBucket) -> SinkDecision.Outcome {
    SinkDecision.Outcome(oldLogger: bucket.index >= oldThreshold, newTracker: bucket.index < newThreshold)
  }
}
