package import DualSendParity
package import DualSendRollout

/// How `dualsend guard` takes a rollout from step to step, and what stops it.
package struct GuardPolicy: Sendable, Hashable {
  /// A share of units, and how long it holds at least.
  package struct Step: Sendable, Hashable {
    package let percentage: RolloutPercentage
    /// In milliseconds.
    package let hold: Int64
  }

  /// What a bound limits.
  package enum Measure: String, Sendable, Hashable, CaseIterable {
    /// Pairs whose new event is not what the table makes of the old one.
    case mismatch
    /// Events that a stream lacks.
    case lost
    /// Events that stand in a stream where they do not belong.
    case unexpected
    /// Everything that `dualsend parity` counts as a failure.
    case failing
  }

  /// The largest share that may fail.
  package struct Bound: Sendable, Hashable {
    package var measure: Measure
    package var limit: MismatchLimit
    /// Which events it is about; every event if there is none.
    package var events: [EventPattern] = []
    /// Whether the events are judged as one, not each for itself.
    package var isTogether = false
    /// Whether it must be shown before the next step; if not, it only stops a rollout.
    package var isRequired = true

    /// Whether the bound is about an event.
    func covers(_ name: String) -> Bool { events.isEmpty || events.contains { $0.matches(name) } }
  }

  /// What a breach does.
  package enum Breach: String, Sendable, Hashable, CaseIterable {
    /// Stays where it is.
    case hold
    /// Goes back to the step before, or to 0 from the first.
    case back
    /// Takes the new tracker from all units.
    case kill
  }

  /// In increasing order.
  package var steps: [Step]
  /// The rule whose share is moved; `nil` for that of the top level.
  package var rule: String?
  /// α: the chance that a step is left although a share is at its bound, and of a false alarm at a step.
  package var errorProbability: Double
  /// For how many milliseconds the two sides of an event are waited for before it is judged.
  package var settle: Int64
  package var bounds: [Bound]
  /// How many broken lines both streams may have.
  package var maximumMalformed: Int
  package var onBreach: Breach
  /// Where decisions are posted to.
  package var webhook: String?
  /// A program and its arguments that read a decision from standard input.
  package var command: [String]
}

extension GuardPolicy {
  /// The step that has a share; `nil` if none has.
  package func step(at percentage: RolloutPercentage) -> Int? { steps.firstIndex { $0.percentage == percentage } }
}
