/// How a decision came about, rule by rule.
public struct RolloutTrace: Sendable, Hashable {
  /// What a rule asks for and does not get.
  public enum Obstacle: Sendable, Hashable {
    /// The event's name matches no pattern.
    case event
    /// This part of the context is unknown or does not fulfil the condition.
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
    /// What people call the rule.
    public let name: String?
    /// Why the rule does not match; empty if it does.
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

  /// Every rule, in order; empty where plain booleans decide.
  public let rules: [Rule]
  /// What came out.
  public let decision: SinkDecision
  /// The same in names and numbers.
  public let explanation: SinkDecision.Explanation
  /// The share of units that each outcome has for this event in this context, whatever the unit; exact. `nil` where
  /// plain booleans decide.
  public let expectation: OutcomeIntervals?
}

extension RolloutSnapshot {
  /// Decides one event and keeps how that came about.
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

  /// Which buckets have which outcome for an event in a context; the exact expectation for a unit not known yet.
  ///
  /// The context's unit counts only for rules that name it. `nil` where plain booleans decide.
  public func expectation(for eventName: String, context: DecisionContext) -> OutcomeIntervals? {
    compiled.map { OutcomeIntervals($0.shares($0.places(for: eventName, context: context))) }
  }
}

extension RolloutMatch {
  /// What keeps the rule from matching, in the order of the format; empty if it matches.
  func obstacles(_ eventName: String, _ context: DecisionContext) -> [RolloutTrace.Obstacle] {
    (covers(eventName) ? [] : [.event])
      + conditions.filter { !$0.holds(for: context) }.map { .context($0.key) }
  }
}
