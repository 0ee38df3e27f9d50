/// Which sinks receive one event, and why. A small value without texts: ``RolloutSnapshot/explanation(of:)`` has those.
public struct SinkDecision: Sendable, Hashable {
  /// What decided a flag.
  public enum Reason: Sendable, Hashable {
    /// The rule at this position, counted from 0.
    case rule(Int)
    /// The document's top level: no rule that matches sets the flag.
    case topLevel
    /// A bucket would have been needed, and there is no unit ID.
    case missingUnit
    /// A plain boolean from code.
    case fixed
  }

  /// Whether the old logger receives the event.
  public let shouldSendLogToOldLogger: Bool
  /// Whether the new tracker receives the event.
  public let shouldSendLogToNewTracker: Bool
  /// The unit's bucket; `nil` without a unit, and where plain booleans decide.
  public let bucket: Bucket?
  /// What decided about the old logger.
  public let oldLoggerReason: Reason
  /// What decided about the new tracker.
  public let newTrackerReason: Reason
}
