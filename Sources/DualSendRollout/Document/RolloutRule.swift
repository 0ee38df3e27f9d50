/// A rule of a rollout: sets flags or the shares of named sinks for the events and contexts that it matches.
public struct RolloutRule: Sendable, Equatable {
  /// The rule's name, for people.
  public let name: String?
  /// The events and contexts that the rule matches.
  public let match: RolloutMatch
  /// The share of units with the old logger; `nil` if later rules or the top level decide.
  public let shouldSendLogToOldLogger: RolloutFlag?
  /// The share of units with the new tracker; `nil` if later rules or the top level decide.
  public let shouldSendLogToNewTracker: RolloutFlag?
  /// Whether units may have neither sink where this rule decides one of the two flags: the event is retired on purpose.
  public let allowNeither: Bool
  let offsets: RolloutOffsets
  /// The named sinks whose shares the rule sets, in the order of the document.
  public internal(set) var sinks: [RolloutSinkShare] = []
}

/// The byte offsets of a rule or the top level in the document's text.
struct RolloutOffsets: Sendable, Equatable {
  let start: Int
  let oldLogger: Int?
  let newTracker: Int?
  /// Only for the top level.
  var revision: Int?
}
