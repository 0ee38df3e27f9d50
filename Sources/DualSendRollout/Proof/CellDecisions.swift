import DualSendCore

/// Decides one event in the contexts of a cell for many units, by the code that decides for apps.
///
/// What decides is the same for all units that no rule names, and is worked out once for them.
public struct CellDecisions {
  private let side: DatedRollout
  private let event: String
  private let context: DecisionContext
  private let places: FlagPlaces

  /// Works out what decides for units that no rule names.
  public init(_ side: DatedRollout, event: String, in cell: ContextCell) {
    self.side = side
    self.event = event
    context = cell.example
    places = side.rollout.places(for: event, context: cell.example)
  }

  /// What happens to one unit.
  public func outcome(ofUnit id: String) -> SinkDecision.Outcome {
    guard side.namedUnits.contains(ExactText(id)) else {
      return side.rollout.decision(places, bucket: side.rollout.bucketing.bucket(of: id)).outcome
    }
    var context = context
    context.unitID = id
    return side.snapshot.decision(for: event, context: context).outcome
  }
}
