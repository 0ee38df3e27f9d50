/// What two rollouts decide for the same event, in the same context, for the same unit.
public struct OutcomeMove: Sendable, Hashable {
  /// The outcome before.
  public let from: SinkDecision.Outcome
  /// The outcome after.
  public let to: SinkDecision.Outcome

  /// Names the two outcomes.
  public init(from: SinkDecision.Outcome, to: SinkDecision.Outcome) {
    self.from = from
    self.to = to
  }

  /// Whether the new tracker had the events and no longer has them.
  public var isEviction: Bool { from.includesNewTracker && !to.includesNewTracker }
  /// Whether no sink is left.
  public var isLoss: Bool { from != .neither && to == .neither }
}

/// Units that make one move: their buckets before, and how many pairs of buckets they are.
public struct OutcomeOverlap: Sendable, Hashable {
  /// What happens to them.
  public let move: OutcomeMove
  /// Where they are before.
  public let buckets: Range<Int>
  /// Their share, in pairs of buckets: parts of ``RolloutBucket/count`` squared.
  public let pairs: Int

  /// Every move that some unit makes when the shares change; exact.
  ///
  /// - Parameter isReshuffle: whether the salt changes, so that every bucket before goes with every bucket after.
  public static func all(from before: FlagShares, to after: FlagShares, isReshuffle: Bool) -> [OutcomeOverlap] {
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
