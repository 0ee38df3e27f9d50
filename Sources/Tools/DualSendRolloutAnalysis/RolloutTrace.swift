import DualSendCore
package import DualSendRollout

/// The explanation of a decision, rule by rule.
package struct RolloutTrace: Sendable, Hashable {
  /// A part of a rule's `match` that does not hold.
  package enum Obstacle: Sendable, Hashable {
    /// The event's name matches no pattern.
    case event
    /// This value of the context is unknown or does not fulfil the condition.
    case context(ContextKey)

    /// The term that messages use.
    package var words: String {
      switch self {
      case .event: "event"
      case .context(let key): key.words
      }
    }
  }

  /// One rule's part in the decision.
  package struct Rule: Sendable, Hashable {
    /// The rule's position, counted from 0.
    package let index: Int
    /// The rule's name.
    package let name: String?
    /// The reasons why the rule does not match; empty if it does.
    package let obstacles: [Obstacle]
    /// The share that the rule sets for the old logger at this time; `nil` if none.
    package let oldLogger: RolloutPercentage?
    /// The share that the rule sets for the new tracker at this time; `nil` if none.
    package let newTracker: RolloutPercentage?
    /// Whether the rule decides about the old logger.
    package let decidesOldLogger: Bool
    /// Whether the rule decides about the new tracker.
    package let decidesNewTracker: Bool

    /// Whether every condition holds.
    package var matches: Bool { obstacles.isEmpty }
  }

  /// Every rule, in order; empty if plain booleans are in force.
  package let rules: [Rule]
  /// The decision.
  package let decision: SinkDecision
  /// The decision in names and numbers.
  package let explanation: SinkDecision.Explanation
  /// The exact share of units that have each outcome for this event in this context; `nil` if plain booleans are in force.
  package let expectation: OutcomeIntervals?
}

extension RolloutSnapshot {
  /// Decides one event and explains the decision rule by rule.
  package func trace(for eventName: String, context: DecisionContext) -> RolloutTrace {
    let decision = decision(for: eventName, context: context)
    let places = CompiledRollout.of(self)?.places(for: eventName, context: context)
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

extension SinkDecision {
  /// The reason why a sink receives an event or not, in names and numbers.
  package struct SinkExplanation: Sendable, Hashable {
    /// The sink's id.
    package let sink: String
    /// The side of the sink.
    package let side: RolloutSide
    /// Whether the sink receives the event.
    package let isOn: Bool
    /// The reason for the side's flag.
    package let flag: Explanation.Flag
    /// The place that decided about the sink; `nil` if the document does not name it, so that it follows the flag.
    package let reason: SinkDecision.Reason?
    /// The name of the rule that decided; `nil` if no rule did or it has no name.
    package let ruleName: String?
    /// The share of all units that decided; `nil` if the document does not name the sink.
    package let percentage: RolloutPercentage?
    /// The sink's condition on the bucket, such as `bucket < 5000`; `nil` if the document does not name the sink.
    package let threshold: String?
    /// The unit's bucket, `0..<100_000`.
    package let bucket: Int?
  }
}

extension SinkDecision.SinkExplanation: CustomStringConvertible {
  /// One line: `sinks.new.amplitude is off: rule 1 "home" sets 25 %, which asks for bucket < 25000, and the bucket is 42301`.
  package var description: String {
    "sinks.\(side.rawValue).\(sink.printable()) is \(isOn ? "on" : "off"): " + because
  }

  private var because: String {
    guard flag.isOn else { return "\(flag.key) is off" }
    guard let reason, let percentage, let threshold else {
      return "the document does not name it, so it follows \(flag.key)"
    }
    var text = "the top level"
    if case .rule(let index) = reason {
      text = "rule \(index + 1)" + (ruleName.map { " \"\($0.printable())\"" } ?? "")
    }
    text += " sets \(percentage)"
    guard percentage < .all else { return text + ", so it follows \(flag.key)" }
    return text
      + (bucket.map { ", which asks for \(threshold), and the bucket is \($0)" } ?? ", and there is no unit ID")
  }
}

extension RolloutSnapshot {
  /// Explains whether a sink receives an event.
  ///
  /// - Parameters:
  ///   - sink: the sink's id. If the document does not name it, it follows its side's flag.
  ///   - side: the side of the sink in the app.
  ///   - event: the event's old name.
  ///   - context: the context.
  ///   - isSteppedBack: whether the device's breaker is open.
  package func explanation(
    of sink: String, on side: RolloutSide, event: String, context: DecisionContext, isSteppedBack: Bool = false
  ) -> SinkDecision.SinkExplanation {
    let decided = decision(for: event, context: context)
    let decision = isSteppedBack ? decided.withOpenBreaker : decided
    let flags = explanation(of: decision)
    let share = CompiledRollout.of(self)?.share(ofSink: sink, on: side, event: event, context: context)
    return SinkDecision.SinkExplanation(
      sink: sink, side: side,
      isOn: receives(sink, on: side, event: event, subject: subject(context), decision: decision),
      flag: side == .old ? flags.oldLogger : flags.newTracker, reason: share?.place.reason,
      ruleName: share.flatMap { share in
        if case .rule(let index) = share.place { document?.rules[index].name } else { nil }
      },
      percentage: share.flatMap { RolloutPercentage(thousandths: $0.buckets) },
      threshold: share.map {
        side == .old ? "bucket >= \(RolloutBucket.count - $0.buckets)" : "bucket < \($0.buckets)"
      },
      bucket: decision.bucket)
  }
}
