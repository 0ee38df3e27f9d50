public import DualSendCore

/// A document with its schedules evaluated at one time, for proofs.
public final class EvaluatedRollout: Sendable {
  /// The document.
  public let document: RolloutDocument
  /// The time of the evaluation, in milliseconds since 1970-01-01T00:00:00Z; `nil` for before all schedules.
  public let time: Int64?
  /// The compiled document.
  public let rollout: CompiledRollout
  /// The snapshot that apps use.
  public let snapshot: RolloutSnapshot
  /// All units that rules name.
  let namedUnits: Set<ExactText>

  /// Compiles the document, unless its proof already did.
  public convenience init(_ document: RolloutDocument, at time: Int64?) {
    self.init(document, at: time, document.compiled(at: time))
  }

  /// - Parameter rollout: the document at that time, compiled.
  init(_ document: RolloutDocument, at time: Int64?, _ rollout: CompiledRollout) {
    self.document = document
    self.time = time
    self.rollout = rollout
    snapshot = RolloutSnapshot(document, at: time, rollout)
    namedUnits = Set(document.rules.flatMap { $0.match.unitIDs ?? [] }.map(ExactText.init))
  }

  func allowsNeither(_ places: FlagPlaces) -> Bool {
    document.allowsNeither(at: places.oldLogger) || document.allowsNeither(at: places.newTracker)
  }
}

extension EvaluatedRollout {
  /// All sinks that these documents name, sorted.
  public static func sinks(of sides: [EvaluatedRollout]) -> [RolloutSink] {
    sides.flatMap { $0.document.sinks.map(\.sink) }.distinctInOrder()
  }
}

extension RolloutDocument {
  /// The finding for a proof that exceeds its budget.
  public var tooLargeToProve: DocumentDiagnostic {
    finding(
      .error, .tooLargeToProve, "the rules distinguish too many cases to be proved", at: .topLevel,
      help: "use fewer rules, or fewer different attributes in rules about the same events")
  }

  /// The times at which a document must be proved: before all schedules, and at each step.
  public var provedTimes: [Int64?] {
    [nil] + changeTimes
  }
}

/// Decides one event in the contexts of a cell for many units, with the code that apps use.
///
/// The places that decide are the same for all units that no rule names, so they are computed once.
public struct CellDecisions {
  private let side: EvaluatedRollout
  private let event: String
  private let cell: ContextCell
  private let places: FlagPlaces

  /// Computes the places that decide for units that no rule names.
  public init(_ side: EvaluatedRollout, event: String, in cell: ContextCell) {
    self.side = side
    self.event = event
    self.cell = cell
    places = side.rollout.places(for: event, context: cell.example)
  }

  /// The outcome for one unit.
  public func outcome(ofUnit id: String) -> SinkDecision.Outcome {
    guard side.namedUnits.contains(ExactText(id)) else {
      return side.rollout.decision(places, bucket: side.rollout.bucketing.bucket(of: id)).outcome
    }
    return side.snapshot.decision(for: event, context: cell.example(unit: id)).outcome
  }
}
