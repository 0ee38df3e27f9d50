import DualSendCore

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
