extension SinkDecision {
  /// The principal sinks that receive an event.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The old logger only.
    case oldOnly
    /// Both sinks.
    case both
    /// The new tracker only.
    case newOnly
    /// No sink at all.
    case neither

    /// Creates an outcome from the two flags.
    public init(oldLogger: Bool, newTracker: Bool) {
      self =
        switch (oldLogger, newTracker) {
        case (true, false): .oldOnly
        case (true, true): .both
        case (false, true): .newOnly
        case (false, false): .neither
        }
    }

    /// Whether the old logger receives the event.
    public var includesOldLogger: Bool { self == .oldOnly || self == .both }
    /// Whether the new tracker receives the event.
    public var includesNewTracker: Bool { self == .newOnly || self == .both }

    /// The outcome on a device whose breaker is open: the old logger receives what the new tracker would. An event that is
    /// retired on purpose stays retired.
    public var steppedBack: Outcome { includesNewTracker ? .oldOnly : self }
  }
}

extension MissingUnitOutcome {
  /// The sinks that receive the event.
  public var outcome: SinkDecision.Outcome {
    switch self {
    case .old: .oldOnly
    case .new: .newOnly
    case .both: .both
    }
  }
}

/// The sinks of an event without a unit ID where the decision needs a bucket.
public enum MissingUnitOutcome: String, Sendable, Hashable, CaseIterable {
  /// The old logger only.
  case old
  /// The new tracker only.
  case new
  /// Both.
  case both
}
