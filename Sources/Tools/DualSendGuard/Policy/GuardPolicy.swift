package import DualSendCore
package import DualSendParity
package import DualSendRollout

/// The steps and bounds by which `dualsend guard` moves a rollout.
package struct GuardPolicy: Sendable, Hashable {
  /// A share of units with its minimum time.
  package struct Step: Sendable, Hashable {
    package let percentage: RolloutPercentage
    /// In milliseconds.
    package let hold: Int64
  }

  /// The kind of failure that a bound limits.
  package enum Measure: String, Sendable, Hashable, CaseIterable {
    /// Pairs whose new event differs from the old one after the table.
    case mismatch
    /// Events that are missing in the new stream.
    case lost
    /// Events that are missing in the old stream, which no other measure counts.
    case lostFromOld
    /// Events in a stream where they do not belong.
    case unexpected
    /// Everything that `dualsend parity` counts as a failure, but for what the old stream lacks.
    case failing
    /// Events that the collector refused for good.
    case deadLetters
  }

  /// The largest share that may fail.
  package struct Bound: Sendable, Hashable {
    package var measure: Measure
    package var limit: FailingLimit
    /// The events that the bound applies to; empty for all.
    package var events: [EventPattern] = []
    /// Whether one share is computed for all events together.
    package var isTogether = false
    /// Whether the next step requires the bound. If not, it only stops a rollout.
    package var isRequired = true

    /// Whether the bound applies to an event.
    func covers(_ name: String) -> Bool { events.isEmpty || events.contains { $0.matches(name) } }
  }

  /// What a bound counts.
  package enum Sample: String, Sendable, Hashable, CaseIterable {
    /// Each unit once, which fails if any of its events does: the events of one device fail together.
    case units
    /// Every event, as if none failed because another did.
    case events
  }

  /// The action after a breach.
  package enum Breach: String, Sendable, Hashable, CaseIterable {
    /// Keeps the share.
    case hold
    /// Returns to the step before, or to 0 from the first.
    case back
    /// Sets the share that the policy moves to 0.
    case kill
  }

  /// In increasing order.
  package var steps: [Step]
  /// The rule whose share is moved; `nil` for that of the top level.
  package var rule: String?
  /// α, for each step: the chance to leave it although a share is at its bound, and the chance of a false alarm.
  package var errorProbability: Double
  /// The time after which an event is judged, in milliseconds.
  package var settle: Int64
  /// The longest time without an event in a stream before the next step waits, in milliseconds.
  package var maximumSilence: Int64
  package var bounds: [Bound]
  /// What the bounds count.
  package var sample: Sample
  /// The time for which a unit is watched before it counts for the next step, in milliseconds.
  package var maturity: Int64 = 86_400_000
  /// The largest share of lines and events that cannot be judged, for the next step.
  package var maximumUnjudged: FailingLimit
  package var onBreach: Breach
  /// The address to which decisions are posted.
  package var webhook: String?
  /// A program and its arguments that read a decision from standard input.
  package var command: [String]
  /// What its reader found unusual.
  package var warnings: [DocumentDiagnostic] = []
}

extension GuardPolicy {
  /// The summary for the console: steps in thousandths of a percent, times in milliseconds, and bounds as text.
  var summary: EventValue {
    [
      "steps": .array(
        steps.map { ["percentage": .int(Int64($0.percentage.thousandths)), "hold": .int($0.hold)] }),
      "onBreach": .string(onBreach.rawValue), "bounds": .array(bounds.map { .string($0.summary) }),
    ]
  }

  /// Whether a bound limits dead letters.
  package var judgesDeadLetters: Bool { bounds.contains { $0.measure == .deadLetters } }

  /// The index of the step with a share; `nil` if there is none.
  package func step(at percentage: RolloutPercentage) -> Int? { steps.firstIndex { $0.percentage == percentage } }
}
