/// One side of the migration. Each has a principal sink, which follows its flag and nothing else (`oldLogger`,
/// `newTracker`), and may have further ones, which a document may narrow by name.
public enum RolloutSide: String, Sendable, Hashable, CaseIterable {
  /// What `shouldSendLogToOldLogger` decides.
  case old
  /// What `shouldSendLogToNewTracker` decides.
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

  /// The buckets that a share of the side's units has: new fills from the bottom, and old drains from there.
  ///
  /// - Parameter share: how many buckets, `0...100_000`.
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
