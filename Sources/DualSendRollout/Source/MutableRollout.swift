public import DualSendCore

/// A rollout that the app sets itself: from a feature flag service, a debug menu or a test.
///
/// ```swift
/// let rollout = MutableRollout()
/// flags.onChange { old, new in
///   guard let old = RolloutPercentage(percent: old), let new = RolloutPercentage(percent: new) else { return }
///   try? rollout.set(shouldSendLogToOldLogger: old, shouldSendLogToNewTracker: new, salt: "tracker-2025")
/// }
/// ```
///
/// If a rollout is refused, the last valid one stays in force. Safe to use from any thread.
public final class MutableRollout: RolloutSource {
  private let current: Locked<RolloutSnapshot>

  /// Creates a source.
  ///
  /// - Parameter snapshot: the initial rollout; by default, all events go to the old logger only.
  public init(_ snapshot: RolloutSnapshot = .oldLoggerOnly) {
    current = Locked(snapshot)
  }

  /// The rollout in force.
  public var snapshot: RolloutSnapshot { current.current }

  /// Puts a rollout in force. Each event is decided by one rollout as a whole.
  public func set(_ snapshot: RolloutSnapshot) {
    current.withLock { $0 = snapshot }
  }

  /// Puts two plain booleans in force, the same for every unit.
  ///
  /// - Parameters:
  ///   - shouldSendLogToOldLogger: whether the old logger receives all events.
  ///   - shouldSendLogToNewTracker: whether the new tracker receives all events.
  ///   - allowNeither: must be `true` if both booleans are `false`. Prevents losing all events by mistake.
  /// - Throws: ``DocumentError`` if both booleans are `false` and `allowNeither` is not `true`.
  public func set(
    shouldSendLogToOldLogger: Bool, shouldSendLogToNewTracker: Bool, allowNeither: Bool = false
  ) throws(DocumentError) {
    set(
      try RolloutSnapshot(
        shouldSendLogToOldLogger: shouldSendLogToOldLogger, shouldSendLogToNewTracker: shouldSendLogToNewTracker,
        allowNeither: allowNeither))
  }

  /// Puts two percentages in force. Units have the same buckets as in a document with this salt, so a team can switch
  /// between its own channel and a document without moving units.
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
  /// Creates a document with two shares and no rules.
  init(
    shouldSendLogToOldLogger old: RolloutPercentage, shouldSendLogToNewTracker new: RolloutPercentage, salt: String
  ) throws(DocumentError) {
    guard !salt.isEmpty else {
      throw DocumentError([
        DocumentDiagnostic(
          .error, .emptySalt, "the salt is empty", help: "use any text that stays the same during the rollout")
      ])
    }
    guard old.thousandths + new.thousandths >= RolloutBucket.count else {
      throw DocumentError([
        DocumentDiagnostic(
          .error, .neitherSink, "the old logger keeps \(old) and the new tracker has \(new): some units have neither",
          help: "let the two add up to 100 % or more")
      ])
    }
    self.init(
      revision: 0, salt: salt, shouldSendLogToOldLogger: .percentage(old), shouldSendLogToNewTracker: .percentage(new),
      allowNeither: false, missingUnit: .old, rules: [],
      offsets: RolloutOffsets(start: 0, oldLogger: nil, newTracker: nil))
  }
}
