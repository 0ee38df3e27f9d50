import DualSendCore

/// Compares the units that one sink receives under two documents, cell by cell. In a document that does not name the sink,
/// it follows its side's flag.
public struct SinkComparison {
  /// Whether a sink receives a unit's events before and after.
  public struct Move: Sendable, Hashable {
    /// Whether the sink receives the events before.
    public let before: Bool
    /// Whether the sink receives the events after.
    public let after: Bool

    /// Whether the unit loses the sink.
    public var isLoss: Bool { before && !after }
    /// Whether anything changes.
    public var isChange: Bool { before != after }
  }

  /// The difference between two documents in a cell.
  public struct Difference: Sendable, Hashable {
    /// The units that the sink receives before.
    public let before: SinkReach
    /// The units that the sink receives after.
    public let after: SinkReach
    /// The units that gain the sink.
    public let gain: SinkOverlap
    /// The units that lose it.
    public let loss: SinkOverlap
    /// The move of events without a unit ID.
    public let withoutUnit: Move

    /// Whether any units, or events without a unit, lose the sink.
    public var evicts: Bool { loss.pairs > 0 || withoutUnit.isLoss }
    /// Whether any units, or events without a unit, gain or lose the sink.
    public var isChange: Bool { gain.pairs + loss.pairs > 0 || withoutUnit.isChange }
  }

  /// The sink.
  public let sink: RolloutSink
  /// All events and contexts, divided by the places that decide about the flags and the sink.
  public let partition: RolloutPartition
  private let before: EvaluatedRollout
  private let after: EvaluatedRollout
  private let isReshuffle: Bool

  /// Divides events and contexts by the rules of both documents.
  public init(
    of sink: RolloutSink, _ before: EvaluatedRollout, _ after: EvaluatedRollout, budget: inout ProofBudget
  ) throws(ProofBudget.Exhausted) {
    for side in [before, after] { try budget.spend(compiling: side) }
    self.sink = sink
    self.before = before
    self.after = after
    partition = RolloutPartition([before, after], sink: sink)
    isReshuffle = !before.document.salt.isExactly(after.document.salt)
  }

  /// The difference for units that no rule names.
  public func difference(in cell: ContextCell) -> Difference {
    let reaches = [before, after].enumerated().map { index, side in
      side.rollout.reach(
        of: sink, flags: partition.places(cell, side: index), at: partition.sinkPlace(cell, side: index))
    }
    return Difference(
      before: reaches[0], after: reaches[1],
      gain: .gain(from: reaches[0], to: reaches[1], isReshuffle: isReshuffle),
      loss: .loss(from: reaches[0], to: reaches[1], isReshuffle: isReshuffle),
      withoutUnit: Move(before: reaches[0].withoutUnit, after: reaches[1].withoutUnit))
  }

  /// The move of one unit, decided by the code that apps use.
  public func move(ofUnit id: String, in cell: ContextCell, event: String) -> Move {
    let context = cell.example(unit: id)
    return Move(
      before: before.snapshot.receives(sink.id, on: sink.side, event: event, context: context),
      after: after.snapshot.receives(sink.id, on: sink.side, event: event, context: context))
  }
}
