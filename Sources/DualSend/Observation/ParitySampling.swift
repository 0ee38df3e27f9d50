public import DualSendCore
public import DualSendRollout

/// Passes the event pairs of a share of all units to a closure, so that an app can observe the parity of its two
/// streams.
///
/// Samples units, not events: a unit is in the sample with all of its events or with none, on every device and in every
/// launch. Buckets are computed in integers as for rollouts, so the share is exact. Only events that go to both sinks
/// are observed, and only those with a unit ID.
public struct ParitySampling: Sendable {
  /// Receives a sampled pair.
  ///
  /// Called on the tracker's own queue, in the order of events; the next event waits until it returns. The event may
  /// still be dropped, or changed by the tracker's mutations. Called while consent is pending, but not when it is
  /// denied.
  public typealias Observer = @Sendable (ParitySampling.Pair) -> Void

  /// The share of units, exact to a thousandth of a percent.
  public let share: RolloutPercentage
  /// Receives the pairs.
  public let observer: Observer
  private let bucketing: RolloutBucketing

  /// Creates a sampling.
  ///
  /// - Parameters:
  ///   - share: the share of units to observe.
  ///   - salt: must differ from the rollout's salt; otherwise the sample always consists of the units that get the new
  ///     tracker first.
  ///   - observer: receives the pairs.
  public init(share: RolloutPercentage, salt: String = "parity-sample", observer: @escaping Observer) {
    self.share = share
    self.observer = observer
    bucketing = RolloutBucketing(salt: salt)
  }

  /// Whether a unit is in the sample. A higher share only adds units.
  public func includes(unitID: String) -> Bool {
    includes(bucketing.bucket(of: unitID))
  }

  func includes(_ bucket: RolloutBucket) -> Bool {
    bucket.index < share.thousandths
  }
}

extension ParitySampling {
  /// The observer in the form that a sink's transform calls.
  var pairObserver: @Sendable (_ old: TrackingEvent, _ new: TrackingEvent) -> Void {
    { [observer] old, new in observer(Pair(old: old, new: new)) }
  }
}

// MARK: - Pair

extension ParitySampling {
  /// Both forms of an event: the old logger's and the new tracker's.
  public struct Pair: Sendable, Hashable {
    /// The event with its old name and keys. Values that JSON cannot hold are missing, as in ``new``.
    public let old: TrackingEvent
    /// The event with its new name and keys, and the id and time of ``old``.
    public let new: TrackingEvent

    /// The old event as a line of JSON for `dualsend parity`, without a line feed.
    public var oldLine: [UInt8] {
      var line: [String: EventValue] = [
        "eventId": .string(old.id.description), "name": .string(old.name), "parameters": .object(old.payload),
        "time": .int(old.time),
      ]
      line["decision"] = old.decision.map { .string($0.description) }
      return EventValue.object(line).canonicalJSON
    }

    /// The new event as a line of JSON for `dualsend parity`, without a line feed.
    public var newLine: [UInt8] {
      var writer = CanonicalJSONWriter(capacity: 512)
      new.writeElement(to: &writer)
      return writer.bytes
    }

    /// Creates a pair.
    public init(old: TrackingEvent, new: TrackingEvent) {
      self.old = old
      self.new = new
    }
  }
}
