public import DualSendCore

/// A rollout that the app sets by itself: from a feature flag service, from a debug menu, in a test.
///
/// ```swift
/// let rollout = MutableRollout()
/// flags.onChange { old, new in
///   guard let old = RolloutPercentage(percent: old), let new = RolloutPercentage(percent: new) else { return }
///   try? rollout.set(shouldSendLogToOldLogger: old, shouldSendLogToNewTracker: new, salt: "tracker-2025")
/// }
/// ```
///
/// What is refused changes nothing: the last good rollout stays in force. Safe to use from any thread.
public final class MutableRollout: RolloutSource {
  private let current: Locked<RolloutSnapshot>

  /// Creates a source.
  ///
  /// - Parameter snapshot: what is in force until it is set; by default everything goes to the old logger alone.
  public init(_ snapshot: RolloutSnapshot = .oldLoggerOnly) {
    current = Locked(snapshot)
  }

  /// The rollout in force.
  public var snapshot: RolloutSnapshot { current.current }

  /// Puts a rollout in force. An event that is being decided at this moment follows one or the other, never a mixture.
  public func set(_ snapshot: RolloutSnapshot) {
    current.withLock { $0 = snapshot }
  }

  /// Puts two plain booleans in force, the same for every unit.
  ///
  /// - Parameter allowNeither: must be `true` if both booleans are `false`, so that events are only lost on purpose.
  /// - Throws: ``DocumentError`` if both booleans are `false` and that is not allowed.
  public func set(
    shouldSendLogToOldLogger: Bool, shouldSendLogToNewTracker: Bool, allowNeither: Bool = false
  ) throws(DocumentError) {
    set(
      try RolloutSnapshot(
        shouldSendLogToOldLogger: shouldSendLogToOldLogger, shouldSendLogToNewTracker: shouldSendLogToNewTracker,
        allowNeither: allowNeither))
  }

  /// Puts two percentages in force. Units are drawn as a document with this salt draws them, so that a team can move from
  /// its own channel to a document and back without moving anybody.
  ///
  /// - Throws: ``DocumentError`` if the two leave some units without a sink, or if the salt is empty.
  public func set(
    shouldSendLogToOldLogger: RolloutPercentage, shouldSendLogToNewTracker: RolloutPercentage, salt: String
  ) throws(DocumentError) {
    set(
      RolloutSnapshot(
        try RolloutDocument(
          shouldSendLogToOldLogger: shouldSendLogToOldLogger, shouldSendLogToNewTracker: shouldSendLogToNewTracker,
          salt: salt)))
  }
}

extension RolloutDocument {
  /// A document of nothing but two shares, under the same checks as one that is read.
  init(
    shouldSendLogToOldLogger old: RolloutPercentage, shouldSendLogToNewTracker new: RolloutPercentage, salt: String
  ) throws(DocumentError) {
    guard !salt.isEmpty else {
      throw DocumentError([
        DocumentDiagnostic(
          .error, .emptySalt, "the salt is empty", help: "any text will do, so long as it stays the same")
      ])
    }
    self.init(
      revision: 0, salt: salt, shouldSendLogToOldLogger: .percentage(old), shouldSendLogToNewTracker: .percentage(new),
      allowNeither: false, missingUnit: .old, rules: [],
      offsets: RolloutOffsets(start: 0, oldLogger: nil, newTracker: nil))
    let findings = NeitherCheck.findings(in: self)
    if !findings.isEmpty { throw DocumentError(findings) }
  }
}
