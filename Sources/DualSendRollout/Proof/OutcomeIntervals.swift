/// The buckets of each outcome. Both flags have a threshold, so each outcome is one interval.
public struct OutcomeIntervals: Sendable, Hashable {
  private let newTrackerEnd: Int
  private let oldLoggerStart: Int

  /// Derives the intervals from two shares.
  public init(_ shares: FlagShares) {
    newTrackerEnd = shares.newThreshold
    oldLoggerStart = shares.oldThreshold
  }

  /// The buckets of an outcome, within `0..<100_000`; empty if no unit has it.
  public func buckets(of outcome: SinkDecision.Outcome) -> Range<Int> {
    switch outcome {
    case .newOnly: 0..<min(newTrackerEnd, oldLoggerStart)
    case .both: min(newTrackerEnd, oldLoggerStart)..<newTrackerEnd
    case .neither: min(newTrackerEnd, oldLoggerStart)..<oldLoggerStart
    case .oldOnly: max(newTrackerEnd, oldLoggerStart)..<RolloutBucket.count
    }
  }

  /// The exact share of units that have an outcome.
  public func share(of outcome: SinkDecision.Outcome) -> RolloutPercentage {
    RolloutPercentage(thousandths: buckets(of: outcome).count) ?? .none
  }
}
