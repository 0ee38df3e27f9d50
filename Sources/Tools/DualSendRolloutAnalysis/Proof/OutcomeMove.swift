package import DualSendRollout

/// The outcomes of two rollouts for the same event, context and unit.
package struct OutcomeMove: Sendable, Hashable {
  /// The outcome before.
  package let from: SinkDecision.Outcome
  /// The outcome after.
  package let to: SinkDecision.Outcome

  /// Creates a move.
  package init(from: SinkDecision.Outcome, to: SinkDecision.Outcome) {
    self.from = from
    self.to = to
  }

  /// Whether the unit loses the new tracker.
  package var isEviction: Bool { from.includesNewTracker && !to.includesNewTracker }
  /// Whether the unit had a sink and has none.
  package var isLoss: Bool { from != .neither && to == .neither }
}

/// The units with the same move.
package struct OutcomeOverlap: Sendable, Hashable {
  /// The move.
  package let move: OutcomeMove
  /// Their buckets before.
  package let buckets: Range<Int>
  /// Their share, in pairs of buckets: parts of ``RolloutBucket/count`` squared.
  package let pairs: Int

  /// The exact moves of all units when the shares change.
  ///
  /// - Parameters:
  ///   - before: the shares before.
  ///   - after: the shares after.
  ///   - isReshuffle: whether the salt changes, so that every pair of buckets occurs.
  package static func all(from before: FlagShares, to after: FlagShares, isReshuffle: Bool) -> [OutcomeOverlap] {
    let (old, new) = (OutcomeIntervals(before), OutcomeIntervals(after))
    return SinkDecision.Outcome.allCases.flatMap { from in
      SinkDecision.Outcome.allCases.compactMap { to in
        let (before, after) = (old.buckets(of: from), new.buckets(of: to))
        let common = before.clamped(to: after)
        let pairs = isReshuffle ? before.count * after.count : common.count * RolloutBucket.count
        guard pairs > 0 else { return nil }
        return OutcomeOverlap(
          move: OutcomeMove(from: from, to: to), buckets: isReshuffle ? before : common, pairs: pairs)
      }
    }
  }
}

/// The buckets of each outcome. Both flags have a threshold, so each outcome is one interval.
package struct OutcomeIntervals: Sendable, Hashable {
  private let newTrackerEnd: Int
  private let oldLoggerStart: Int

  /// Derives the intervals from two shares.
  package init(_ shares: FlagShares) {
    newTrackerEnd = shares.newThreshold
    oldLoggerStart = shares.oldThreshold
  }

  /// The buckets of an outcome, within `0..<100_000`; empty if no unit has it.
  package func buckets(of outcome: SinkDecision.Outcome) -> Range<Int> {
    switch outcome {
    case .newOnly: 0..<min(newTrackerEnd, oldLoggerStart)
    case .both: min(newTrackerEnd, oldLoggerStart)..<newTrackerEnd
    case .neither: min(newTrackerEnd, oldLoggerStart)..<oldLoggerStart
    case .oldOnly: max(newTrackerEnd, oldLoggerStart)..<RolloutBucket.count
    }
  }

  /// The exact share of units that have an outcome.
  package func share(of outcome: SinkDecision.Outcome) -> RolloutPercentage {
    RolloutPercentage(thousandths: buckets(of: outcome).count) ?? .none
  }
}

extension RolloutSnapshot {
  /// The buckets that have each outcome for an event in a context.
  ///
  /// Only rules that name units use the context's unit. `nil` if plain booleans are in force.
  package func expectation(for eventName: String, context: DecisionContext) -> OutcomeIntervals? {
    CompiledRollout.of(self).map { OutcomeIntervals($0.decidedShares($0.places(for: eventName, context: context))) }
  }
}
