/// Which units a named sink receives for the same events in the same contexts. One bucket a unit decides about the flag and
/// the sink alike, so they are those of the lower of the two shares: one interval.
public struct SinkReach: Sendable, Hashable {
  /// The side of the sink.
  public let side: RolloutSide
  /// How many buckets the side's flag has.
  public let flag: Int
  /// How many buckets the document leaves to the sink; all if it does not name it.
  public let sink: Int
  /// Whether the sink receives events without a unit ID.
  public let withoutUnit: Bool

  /// The buckets of the units that the sink receives.
  public var buckets: Range<Int> { side.buckets(ofShare: min(flag, sink)) }

  /// The exact share of units that the sink receives.
  public var share: RolloutPercentage { RolloutPercentage(thousandths: buckets.count) ?? .none }

  /// All other buckets.
  var otherBuckets: Range<Int> {
    switch side {
    case .old: 0..<buckets.lowerBound
    case .new: buckets.upperBound..<RolloutBucket.count
    }
  }
}

/// Units that gain a sink, or lose it: their buckets before, and how many pairs of buckets they are.
public struct SinkOverlap: Sendable, Hashable {
  /// Where they are before.
  public let buckets: Range<Int>
  /// Their share, in pairs of buckets: parts of ``RolloutBucket/count`` squared.
  public let pairs: Int

  /// The units that the second reach has and the first has not; exact.
  ///
  /// - Parameter isReshuffle: whether the salt changes, so that every bucket before goes with every bucket after.
  public static func gain(from before: SinkReach, to after: SinkReach, isReshuffle: Bool) -> SinkOverlap {
    SinkOverlap(before.otherBuckets, after.buckets, isReshuffle)
  }

  /// The units that the first reach has and the second has not; exact.
  public static func loss(from before: SinkReach, to after: SinkReach, isReshuffle: Bool) -> SinkOverlap {
    SinkOverlap(before.buckets, after.otherBuckets, isReshuffle)
  }

  private init(_ before: Range<Int>, _ after: Range<Int>, _ isReshuffle: Bool) {
    buckets = isReshuffle && !after.isEmpty ? before : before.clamped(to: after)
    pairs = buckets.count * (isReshuffle ? after.count : RolloutBucket.count)
  }
}
