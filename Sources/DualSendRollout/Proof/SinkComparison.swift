import DualSendCore

/// One sink as two documents have it: cuts events and contexts by the rules of both, and looks at each cell from both
/// sides. A document that does not name the sink lets it follow its side's flag.
public struct SinkComparison {
  /// What a unit had and has.
  public struct Move: Sendable, Hashable {
    /// Whether the sink received the events before.
    public let before: Bool
    /// Whether it does after.
    public let after: Bool

    /// Whether the sink had the events and no longer has them.
    public var isLoss: Bool { before && !after }
    /// Whether anything changes.
    public var isChange: Bool { before != after }
  }

  /// What a cell looks like from both sides.
  public struct Difference: Sendable, Hashable {
    /// Whom the sink received.
    public let before: SinkReach
    /// Whom it receives.
    public let after: SinkReach
    /// The units that gain the sink.
    public let gain: SinkOverlap
    /// The units that lose it.
    public let loss: SinkOverlap
    /// What happens to events without a unit ID.
    public let withoutUnit: Move

    /// Whether somebody, events without a unit included, loses the sink.
    public var evicts: Bool { loss.pairs > 0 || withoutUnit.isLoss }
    /// Whether anything changes for anybody.
    public var isChange: Bool { gain.pairs + loss.pairs > 0 || withoutUnit.isChange }
  }

  /// The sink.
  public let sink: RolloutSink
  /// All events and contexts, cut by what decides about the flags and the sink.
  public let partition: RolloutPartition
  private let before: DatedRollout
  private let after: DatedRollout
  private let isReshuffle: Bool

  /// Cuts by the rules of both documents.
  public init(
    of sink: RolloutSink, _ before: DatedRollout, _ after: DatedRollout, budget: inout ProofBudget
  ) throws(ProofBudget.Exhausted) {
    for side in [before, after] { try budget.spend(compiling: side) }
    self.sink = sink
    self.before = before
    self.after = after
    partition = RolloutPartition([before, after], sink: sink)
    isReshuffle = !before.document.salt.isExactly(after.document.salt)
  }

  /// What changes for units that no rule names.
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

  /// What changes for one unit, by the code that decides for apps.
  public func move(ofUnit id: String, in cell: ContextCell, event: String) -> Move {
    var context = cell.example
    context.unitID = id
    return Move(
      before: before.snapshot.receives(sink.id, on: sink.side, event: event, context: context),
      after: after.snapshot.receives(sink.id, on: sink.side, event: event, context: context))
  }
}
