/// A side of the migration. Each has a principal sink, `oldLogger` or `newTracker`, which only its flag decides. It may have
/// further sinks, whose shares a document may narrow by name.
public enum RolloutSide: String, Sendable, Hashable, CaseIterable {
  /// The side of `shouldSendLogToOldLogger`.
  case old
  /// The side of `shouldSendLogToNewTracker`.
  case new
}

extension RolloutSide {
  /// The key of the flag that decides the side.
  public var flagKey: String {
    switch self {
    case .old: "shouldSendLogToOldLogger"
    case .new: "shouldSendLogToNewTracker"
    }
  }

  /// The buckets of a share: the lowest ones on the new side, the highest ones on the old side.
  ///
  /// - Parameter share: the number of buckets, `0...100_000`.
  public func buckets(ofShare share: Int) -> Range<Int> {
    switch self {
    case .old: (RolloutBucket.count - share)..<RolloutBucket.count
    case .new: 0..<share
    }
  }
}

extension SinkDecision.Outcome {
  /// Whether the principal sink of a side receives the event.
  public func includes(_ side: RolloutSide) -> Bool {
    switch side {
    case .old: includesOldLogger
    case .new: includesNewTracker
    }
  }
}
