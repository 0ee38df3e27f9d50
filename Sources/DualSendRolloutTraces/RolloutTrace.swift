public import DualSendRollout

/// The explanation of a decision, rule by rule.
public struct RolloutTrace: Sendable, Hashable {
  /// A part of a rule's `match` that does not hold.
  public enum Obstacle: Sendable, Hashable {
    /// The event's name matches no pattern.
    case event
    /// This value of the context is unknown or does not fulfil the condition.
    case context(ContextKey)

    /// The term that messages use.
    public var words: String {
      switch self {
      case .event: "event"
      case .context(let key): key.words
      }
    }
  }

  /// One rule's part in the decision.
  public struct Rule: Sendable, Hashable {
    /// The rule's position, counted from 0.
    public let index: Int
    /// The rule's name.
    public let name: String?
    /// The reasons why the rule does not match; empty if it does.
    public let obstacles: [Obstacle]
    /// The share that the rule sets for the old logger at this time; `nil` if none.
    public let oldLogger: RolloutPercentage?
    /// The share that the rule sets for the new tracker at this time; `nil` if none.
    public let newTracker: RolloutPercentage?
    /// Whether the rule decides about the old logger.
    public let decidesOldLogger: Bool
    /// Whether the rule decides about the new tracker.
    public let decidesNewTracker: Bool

    /// Whether every condition holds.
    public var matches: Bool { obstacles.isEmpty }
  }

  /// Every rule, in order; empty if plain booleans are in force.
  public let rules: [Rule]
  /// The decision.
  public let decision: SinkDecision
  /// The decision in names and numbers.
  public let explanation: SinkDecision.Explanation
  /// The exact share of units that have each outcome for this event in this context; `nil` if plain booleans are in force.
  public let expectation: OutcomeIntervals?
}

extension RolloutSnapshot {
  /// Decides one event and explains the decision rule by rule.
  public func trace(for eventName: String, context: DecisionContext) -> RolloutTrace {
    let decision = decision(for: eventName, context: context)
    let places = compiled?.places(for: eventName, context: context)
    let rules = (document?.rules ?? []).enumerated().map { index, rule in
      RolloutTrace.Rule(
        index: index, name: rule.name, obstacles: rule.match.obstacles(eventName, context),
        oldLogger: rule.shouldSendLogToOldLogger?.percentage(at: time),
        newTracker: rule.shouldSendLogToNewTracker?.percentage(at: time),
        decidesOldLogger: places?.oldLogger == .rule(index), decidesNewTracker: places?.newTracker == .rule(index))
    }
    return RolloutTrace(
      rules: rules, decision: decision, explanation: explanation(of: decision),
      expectation: expectation(for: eventName, context: context))
  }
}

extension RolloutMatch {
  /// The parts of the match that do not hold, in the order of the format.
  func obstacles(_ eventName: String, _ context: DecisionContext) -> [RolloutTrace.Obstacle] {
    (covers(eventName) ? [] : [.event])
      + conditions.filter { !$0.holds(for: context) }.map { .context($0.key) }
  }
}
