/// Where a flag's share comes from: the top level, or the rule at a position counted from 0.
enum FlagPlace: Hashable, Sendable {
  case topLevel
  case rule(Int)

  var reason: SinkDecision.Reason {
    switch self {
    case .topLevel: .topLevel
    case .rule(let index): .rule(index)
    }
  }
}

/// What decides each of the two flags.
struct FlagPlaces: Hashable, Sendable {
  var oldLogger = FlagPlace.topLevel
  var newTracker = FlagPlace.topLevel
}

/// The shares in force for each of the two flags, as numbers of buckets.
struct FlagShares: Hashable, Sendable {
  let oldLogger: Int
  let newTracker: Int

  /// Old drains from the bottom: it is on from here up.
  var oldThreshold: Int { Bucket.count - oldLogger }
  /// New fills from the bottom: it is on below here.
  var newThreshold: Int { newTracker }

  /// Whether both flags are on or off for everybody, so that no bucket is needed.
  var needNoBucket: Bool {
    (oldLogger == 0 || oldLogger == Bucket.count) && (newTracker == 0 || newTracker == Bucket.count)
  }

  func sinks(in bucket: Bucket) -> SinkOutcome {
    SinkOutcome(oldLogger: bucket.index >= oldThreshold, newTracker: bucket.index < newThreshold)
  }
}
