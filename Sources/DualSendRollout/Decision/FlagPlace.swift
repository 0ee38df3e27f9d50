/// Where a flag's share comes from.
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

/// What decides each of the two flags.
public struct FlagPlaces: Hashable, Sendable {
  /// What decides about the old logger.
  public internal(set) var oldLogger = FlagPlace.topLevel
  /// What decides about the new tracker.
  public internal(set) var newTracker = FlagPlace.topLevel
}

/// The shares in force for each of the two flags, as numbers of buckets.
public struct FlagShares: Hashable, Sendable {
  /// Buckets that keep the old logger.
  public internal(set) var oldLogger: Int
  /// Buckets that have the new tracker.
  public internal(set) var newTracker: Int

  /// Old drains from the bottom: it is on from here up.
  var oldThreshold: Int { RolloutBucket.count - oldLogger }
  /// New fills from the bottom: it is on below here.
  var newThreshold: Int { newTracker }

  /// Whether both flags are on or off for everybody, so that no bucket is needed.
  var needNoBucket: Bool {
    (oldLogger == 0 || oldLogger == RolloutBucket.count) && (newTracker == 0 || newTracker == RolloutBucket.count)
  }

  func sinks(in bucket: RolloutBucket) -> SinkDecision.Outcome {
    SinkDecision.Outcome(oldLogger: bucket.index >= oldThreshold, newTracker: bucket.index < newThreshold)
  }
}
