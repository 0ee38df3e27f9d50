/// The sinks that receive one event, and the reasons. ``RolloutSnapshot/explanation(of:)`` gives the reasons as text.
public struct SinkDecision: Sendable, Hashable {
  /// The reason for a flag.
  public enum Reason: Sendable, Hashable {
    /// The rule at this position, counted from 0.
    case rule(Int)
    /// The document's top level: no matching rule sets the flag.
    case topLevel
    /// The decision needs a bucket, and there is no unit ID.
    case missingUnit
    /// A plain boolean from code.
    case fixed
    /// The breaker on the device, which keeps the new side off.
    case breaker
    /// The document gives the event neither sink and does not allow that, so the old logger gets it.
    case noSink
  }

  /// The sinks that receive the event.
  public let outcome: SinkDecision.Outcome
  /// The unit's bucket; -1 without one. Packed, so that a decision fits into registers.
  private let packedBucket: Int32
  private let packedOldLoggerReason: Int32
  private let packedNewTrackerReason: Int32

  init(_ outcome: SinkDecision.Outcome, bucket: RolloutBucket?, oldLogger: Reason, newTracker: Reason) {
    self.outcome = outcome
    packedBucket = bucket.map { Int32(truncatingIfNeeded: $0.index) } ?? -1
    packedOldLoggerReason = oldLogger.packed
    packedNewTrackerReason = newTracker.packed
  }

  private init(_ outcome: SinkDecision.Outcome, bucket: Int32, oldLogger: Int32, newTracker: Int32) {
    self.outcome = outcome
    packedBucket = bucket
    packedOldLoggerReason = oldLogger
    packedNewTrackerReason = newTracker
  }

  /// The decision on a device whose breaker is open; see ``Outcome/withOpenBreaker``.
  package var withOpenBreaker: SinkDecision {
    guard outcome.includesNewTracker else { return self }
    return SinkDecision(
      outcome.withOpenBreaker, bucket: packedBucket,
      oldLogger: outcome.includesOldLogger ? packedOldLoggerReason : Reason.breaker.packed,
      newTracker: Reason.breaker.packed)
  }

  /// Whether the old logger receives the event.
  public var shouldSendLogToOldLogger: Bool { outcome.includesOldLogger }
  /// Whether the new tracker receives the event.
  public var shouldSendLogToNewTracker: Bool { outcome.includesNewTracker }
  /// The unit's bucket, `0..<100_000`; `nil` without a unit, and if plain booleans are in force.
  public var bucket: Int? { packedBucket < 0 ? nil : Int(packedBucket) }
  /// The reason for the old logger's flag.
  public var oldLoggerReason: Reason { Reason(packed: packedOldLoggerReason) }
  /// The reason for the new tracker's flag.
  public var newTrackerReason: Reason { Reason(packed: packedNewTrackerReason) }
}

extension SinkDecision.Reason {
  fileprivate init(packed: Int32) {
    self =
      switch packed {
      case -1: .topLevel
      case -2: .missingUnit
      case -3: .fixed
      case -4: .breaker
      case -5: .noSink
      default: .rule(Int(packed))
      }
  }

  fileprivate var packed: Int32 {
    switch self {
    case .rule(let index): Int32(truncatingIfNeeded: index)
    case .topLevel: -1
    case .missingUnit: -2
    case .fixed: -3
    case .breaker: -4
    case .noSink: -5
    }
  }
}

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
    package init(oldLogger: Bool, newTracker: Bool) {
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
    package var withOpenBreaker: Outcome { includesNewTracker ? .oldOnly : self }
  }
}

extension MissingUnitOutcome {
  /// The sinks that receive the event.
  package var outcome: SinkDecision.Outcome {
    switch self {
    case .old: .oldOnly
    case .new: .newOnly
    case .both: .both
    }
  }
}

/// The sinks of an event without a unit ID where the decision needs a bucket.
package enum MissingUnitOutcome: String, Sendable, Hashable, CaseIterable {
  /// The old logger only.
  case old
  /// The new tracker only.
  case new
  /// Both.
  case both
}
