import DualSendCore
public import DualSendRollout

/// Shows a share of all units' event pairs to a closure, so that an app can watch the parity of its two streams.
///
/// Units are sampled, not events: a unit is in the sample with all of its events or with none, on every device and in
/// every launch. A unit's bucket is derived as rollouts do it, in integers, so that the share is exact. Only events that go
/// to both sinks are shown; an event without a unit ID never is.
public struct ParitySampling: Sendable {
  /// Gets a sampled pair.
  ///
  /// It is called on the tracker's own thread, in the order of events, and the next event waits until it returns. What it
  /// is shown can still be dropped, or changed by the tracker's mutations, before the collector gets it; it is
  /// shown while consent is pending, and no longer once it is denied.
  public typealias Observer = @Sendable (ParitySampling.Pair) -> Void

  /// The share of all units, exact to a thousandth of a percent.
  public let share: RolloutPercentage
  /// Where pairs go.
  public let observer: Observer
  private let bucketing: RolloutBucketing

  /// Creates a sampling.
  ///
  /// - Parameters:
  ///   - share: which part of all units is observed.
  ///   - salt: what keeps the sample apart from other draws. Another one than the rollout's, or the sample is always made
  ///     of the units that get the new tracker first.
  ///   - observer: gets the pairs.
  public init(share: RolloutPercentage, salt: String = "parity-sample", observer: @escaping Observer) {
    self.share = share
    self.observer = observer
    bucketing = RolloutBucketing(salt: salt)
  }

  /// Whether a unit's pairs are observed. Raising the share only ever adds units.
  public func includes(unitID: String) -> Bool {
    includes(bucketing.bucket(of: unitID))
  }

  func includes(_ bucket: RolloutBucket) -> Bool {
    bucket.index < share.thousandths
  }
}

extension ParitySampling {
  /// The observer as a sink's transform calls it.
  var pairObserver: @Sendable (_ old: TrackingEvent, _ new: TrackingEvent) -> Void {
    { [observer] old, new in observer(Pair(old: old, new: new)) }
  }
}
