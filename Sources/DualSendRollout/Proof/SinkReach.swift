/// The units that a named sink receives in a cell. A unit's bucket decides both the flag and the sink, so they are the
/// buckets of the lower of the two shares: one interval.
public struct SinkReach: Sendable, Hashable {
  /// The side of the sink.
  public let side: RolloutSide
  /// The side's share, in buckets.
  public let flag: Int
  /// The sink's share, in buckets; all buckets if the document does not name the sink.
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

/// The units that gain or lose a sink.
public struct SinkOverlap: Sendable, Hashable {
  /// Their buckets before.
  public let buckets: Range<Int>
  /// Their share, in pairs of buckets: parts of ``RolloutBucket/count`` squared.
  public let pairs: Int

  /// The exact units that only the second reach includes.
  ///
  /// - Parameters:
  ///   - before: the reach before.
  ///   - after: the reach after.
  ///   - isReshuffle: whether the salt changes, so that every pair of buckets occurs.
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
