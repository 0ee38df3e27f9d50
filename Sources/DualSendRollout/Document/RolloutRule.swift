/// One rule of a rollout: for what matches, it sets one flag or both, or narrows sinks.
public struct RolloutRule: Sendable, Hashable {
  /// What people call the rule.
  public let name: String?
  /// What the rule is about.
  public let match: RolloutMatch
  /// How many units keep the old logger; `nil` leaves that to later rules and the top level.
  public let shouldSendLogToOldLogger: RolloutFlag?
  /// How many units have the new tracker; `nil` leaves that to later rules and the top level.
  public let shouldSendLogToNewTracker: RolloutFlag?
  /// Whether units may have neither sink where this rule decides one of the two: an event that is retired on purpose.
  public let allowNeither: Bool
  let offsets: RolloutOffsets
  /// The sinks that the rule narrows, in its order; it leaves the others to later rules and the top level.
  public internal(set) var sinks: [RolloutSinkShare] = []
}

/// Where a rule, or the top level, stands in the document's text, in bytes.
struct RolloutOffsets: Sendable, Hashable {
  let start: Int
  let oldLogger: Int?
  let newTracker: Int?
  /// Of the top level alone.
  var revision: Int?
}
