/// The part of a document that decides a flag.
public enum FlagPlace: Hashable, Sendable {
  /// The document's top level.
  case topLevel
  /// The rule at this position, counted from 0.
  case rule(Int)

  /// The place as the reason of a decision.
  public var reason: SinkDecision.Reason {
    switch self {
    case .topLevel: .topLevel
    case .rule(let index): .rule(index)
    }
  }
}

/// The places that decide the two flags.
public struct FlagPlaces: Hashable, Sendable {
  /// The place that decides about the old logger.
  public var oldLogger: FlagPlace
  /// The place that decides about the new tracker.
  public var newTracker: FlagPlace

  /// Creates places; the top level decides by default.
  public init(oldLogger: FlagPlace = .topLevel, newTracker: FlagPlace = .topLevel) {
    self.oldLogger = oldLogger
    self.newTracker = newTracker
  }
}

/// The shares in force for each of the two flags, as numbers of buckets.
public struct FlagShares: Hashable, Sendable {
  /// Buckets that keep the old logger.
  public internal(set) var oldLogger: Int
  /// Buckets that have the new tracker.
  public internal(set) var newTracker: Int

  /// The lowest bucket that has the old logger.
  public var oldThreshold: Int { RolloutBucket.count - oldLogger }
  /// The lowest bucket that does not have the new tracker.
  public var newThreshold: Int { newTracker }

  /// Whether both flags are 0 % or 100 %, so that every bucket has the same outcome.
  var needNoBucket: Bool {
    (oldLogger == 0 || oldLogger == RolloutBucket.count) && (newTracker == 0 || newTracker == RolloutBucket.count)
  }

  func sinks(in bucket: RolloutBucket) -> SinkDecision.Outcome {
    SinkDecision.Outcome(oldLogger: bucket.index >= oldThreshold, newTracker: bucket.index < newThreshold)
  }
}

/// A set of flags that rules decide: the two flags and one sink's share, of one document or of two that are compared.
public struct FlagSet: OptionSet, Hashable, Sendable {
  /// One bit for each flag.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// `shouldSendLogToOldLogger`.
  public static let oldLogger = FlagSet(rawValue: 1)
  /// `shouldSendLogToNewTracker`.
  public static let newTracker = FlagSet(rawValue: 2)
  /// The share of the named sink under examination.
  public static let sink = FlagSet(rawValue: 4)
  /// Both flags of one document.
  public static let both: FlagSet = [.oldLogger, .newTracker]
}
