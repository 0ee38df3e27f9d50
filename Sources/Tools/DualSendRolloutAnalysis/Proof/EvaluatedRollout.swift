package import DualSendCore
package import DualSendRollout

/// A document with its schedules evaluated at one time, for proofs.
package final class EvaluatedRollout: Sendable {
  /// The compiled document.
  package let rollout: CompiledRollout
  /// The snapshot that apps use.
  package let snapshot: RolloutSnapshot
  /// All units that rules name.
  let namedUnits: Set<ExactText>

  /// Compiles the document.
  package init(_ document: RolloutDocument, at time: Int64?) {
    rollout = CompiledRollout(document, at: time)
    snapshot = rollout.snapshot
    namedUnits = Set(document.rules.flatMap { $0.match.unitIDs ?? [] }.map(ExactText.init))
  }

  /// The document.
  package var document: RolloutDocument { rollout.document }
  /// The time of the evaluation, in milliseconds since 1970-01-01T00:00:00Z; `nil` for before all schedules.
  package var time: Int64? { rollout.time }

  func allowsNeither(_ places: FlagPlaces) -> Bool {
    document.allowsNeither(at: places.oldLogger) || document.allowsNeither(at: places.newTracker)
  }
}

extension EvaluatedRollout {
  /// All sinks that these documents name, sorted.
  package static func sinks(of sides: [EvaluatedRollout]) -> [RolloutSink] {
    Set(sides.flatMap { $0.document.sinks.map(\.sink) }).sorted()
  }
}

extension RolloutDocument {
  /// The finding for a proof that exceeds its budget.
  package var tooManyRules: DocumentDiagnostic {
    finding(
      .error, .tooManyRules, "the rules distinguish too many cases to be proved", at: .topLevel,
      help: "use fewer rules, or fewer different attributes in rules about the same events")
  }

  /// The times at which a document must be proved: before all schedules, and at each step.
  package var provedTimes: [Int64?] {
    [nil] + changeTimes
  }
}

/// Decides one event in the contexts of a cell for many units, with the code that apps use.
///
/// The places that decide are the same for all units that no rule names, so they are computed once.
package struct CellDecisions {
  private let side: EvaluatedRollout
  private let event: String
  private let cell: ContextCell
  private let places: FlagPlaces

  /// Computes the places that decide for units that no rule names.
  package init(_ side: EvaluatedRollout, event: String, in cell: ContextCell) {
    self.side = side
    self.event = event
    self.cell = cell
    places = side.rollout.places(for: event, context: cell.example)
  }

  /// The decision for one unit.
  package func decision(ofUnit id: String) -> SinkDecision {
    guard side.namedUnits.contains(ExactText(id)) else {
      return side.rollout.decision(places, bucket: side.rollout.bucketing.bucket(of: id))
    }
    return side.snapshot.decision(for: event, context: cell.example(unit: id))
  }
}

/// Limits the work of a proof. Documents whose cases grow exponentially exceed it and are refused.
package struct ProofBudget {
  /// The proof needs more work than the budget allows.
  package struct Exhausted: Error {}

  private var remaining: Int

  /// - Parameter cases: the highest number of cases; a million take about a second.
  package init(cases: Int = 1_000_000) {
    remaining = cases
  }

  /// Accounts for compiling a document at one time, which matters if a schedule has thousands of steps.
  package mutating func spend(compiling side: EvaluatedRollout) throws(Exhausted) {
    try spend((side.rollout.size + side.document.stepCount) / 16)
  }

  mutating func spend(_ cases: Int) throws(Exhausted) {
    remaining -= cases
    if remaining < 0 { throw Exhausted() }
  }
}
