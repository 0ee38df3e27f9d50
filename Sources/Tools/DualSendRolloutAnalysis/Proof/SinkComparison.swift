import DualSendCore
package import DualSendRollout

/// Compares the units that one sink receives under two documents, cell by cell. In a document that does not name the sink,
/// it follows its side's flag.
package struct SinkComparison {
  /// Whether a sink receives a unit's events before and after.
  package struct Move: Sendable, Hashable {
    /// Whether the sink receives the events before.
    package let before: Bool
    /// Whether the sink receives the events after.
    package let after: Bool

    /// Whether the unit loses the sink.
    package var isLoss: Bool { before && !after }
    /// Whether anything changes.
    package var isChange: Bool { before != after }
  }

  /// The difference between two documents in a cell.
  package struct Difference: Sendable, Hashable {
    /// The units that the sink receives before.
    package let before: SinkReach
    /// The units that the sink receives after.
    package let after: SinkReach
    /// The units that gain the sink.
    package let gain: SinkOverlap
    /// The units that lose it.
    package let loss: SinkOverlap
    /// The move of events without a unit ID.
    package let withoutUnit: Move

    /// Whether any units, or events without a unit, lose the sink.
    package var evicts: Bool { loss.pairs > 0 || withoutUnit.isLoss }
    /// Whether any units, or events without a unit, gain or lose the sink.
    package var isChange: Bool { gain.pairs + loss.pairs > 0 || withoutUnit.isChange }
  }

  /// The sink.
  package let sink: RolloutSink
  /// All events and contexts, divided by the places that decide about the flags and the sink.
  package let partition: RolloutPartition
  private let before: EvaluatedRollout
  private let after: EvaluatedRollout
  private let isReshuffle: Bool

  /// Divides events and contexts by the rules of both documents.
  package init(
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
  package func difference(in cell: ContextCell) -> Difference {
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
  package func move(ofUnit id: String, in cell: ContextCell, event: String) -> Move {
    let context = cell.example(unit: id)
    return Move(
      before: before.snapshot.receives(sink.id, on: sink.side, event: event, context: context),
      after: after.snapshot.receives(sink.id, on: sink.side, event: event, context: context))
  }
}

/// The units that a named sink receives in a cell. A unit's bucket decides both the flag and the sink, so they are the
/// buckets of the lower of the two shares: one interval.
package struct SinkReach: Sendable, Hashable {
  /// The side of the sink.
  package let side: RolloutSide
  /// The side's share, in buckets.
  package let flag: Int
  /// The sink's share, in buckets; all buckets if the document does not name the sink.
  package let sink: Int
  /// Whether the sink receives events without a unit ID.
  package let withoutUnit: Bool

  /// The buckets of the units that the sink receives.
  package var buckets: Range<Int> { side.buckets(ofShare: min(flag, sink)) }

  /// The exact share of units that the sink receives.
  package var share: RolloutPercentage { RolloutPercentage(thousandths: buckets.count) ?? .none }

  /// All other buckets.
  var otherBuckets: Range<Int> {
    switch side {
    case .old: 0..<buckets.lowerBound
    case .new: buckets.upperBound..<RolloutBucket.count
    }
  }
}

/// The units that gain or lose a sink.
package struct SinkOverlap: Sendable, Hashable {
  /// Their buckets before.
  package let buckets: Range<Int>
  /// Their share, in pairs of buckets: parts of ``RolloutBucket/count`` squared.
  package let pairs: Int

  /// The exact units that only the second reach includes.
  ///
  /// - Parameters:
  ///   - before: the reach before.
  ///   - after: the reach after.
  ///   - isReshuffle: whether the salt changes, so that every pair of buckets occurs.
  package static func gain(from before: SinkReach, to after: SinkReach, isReshuffle: Bool) -> SinkOverlap {
    SinkOverlap(before.otherBuckets, after.buckets, isReshuffle)
  }

  /// The units that the first reach has and the second has not; exact.
  package static func loss(from before: SinkReach, to after: SinkReach, isReshuffle: Bool) -> SinkOverlap {
    SinkOverlap(before.buckets, after.otherBuckets, isReshuffle)
  }

  private init(_ before: Range<Int>, _ after: Range<Int>, _ isReshuffle: Bool) {
    buckets = isReshuffle && !after.isEmpty ? before : before.clamped(to: after)
    pairs = buckets.count * (isReshuffle ? after.count : RolloutBucket.count)
  }
}

extension CompiledRollout {
  /// The units that a sink receives where these places decide.
  ///
  /// - Parameters:
  ///   - sink: the sink; if the document does not name it, it follows its side's flag.
  ///   - places: the places that decide the two flags.
  ///   - place: the place that decides about the sink.
  package func reach(of sink: RolloutSink, flags places: FlagPlaces, at place: FlagPlace) -> SinkReach {
    let shares = shares(places)
    let sinks = if case .rule(let index) = place { document.rules[index].sinks } else { document.sinks }
    let own = sinks.flag(of: sink)?.percentage(at: time) ?? .all
    return SinkReach(
      side: sink.side, flag: sink.side == .old ? shares.oldLogger : shares.newTracker, sink: own.thousandths,
      withoutUnit: own == .all && decision(places, bucket: nil).outcome.includes(sink.side))
  }
}

extension RolloutSnapshot {
  /// The exact share of units that a named sink receives for an event in a context.
  ///
  /// Only rules that name units use the context's unit. `nil` if plain booleans are in force.
  package func reach(of sink: RolloutSink, event: String, context: DecisionContext) -> SinkReach? {
    CompiledRollout.of(self).map { compiled in
      let share = compiled.share(ofSink: sink.id, on: sink.side, event: event, context: context)
      return compiled.reach(
        of: sink, flags: compiled.places(for: event, context: context), at: share?.place ?? .topLevel)
    }
  }
}
