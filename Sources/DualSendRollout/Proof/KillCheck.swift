import DualSendCore

/// Checks whether replacing one rollout by another is a kill: units lose the new tracker or a named sink of its side, or
/// are left without a sink.
///
/// Compares the same cells as a plan, but stops at the first harmful move and searches no examples.
struct KillCheck {
  private let before: EvaluatedRollout
  private let after: EvaluatedRollout
  private let isReshuffle: Bool

  init(from before: EvaluatedRollout, to after: EvaluatedRollout) {
    self.before = before
    self.after = after
    isReshuffle = !before.document.salt.isExactly(after.document.salt)
  }

  /// - Throws: ``ProofBudget/Exhausted`` if the rules distinguish too many cases.
  func findsHarm(budget: ProofBudget = ProofBudget()) throws(ProofBudget.Exhausted) -> Bool {
    var budget = budget
    let partition = RolloutPartition([before, after])
    for events in partition.events {
      for cell in try partition.cells(of: events, budget: &budget) {
        if doesHarm(to: cell, partition, event: events.example) { return true }
      }
    }
    for sink in EvaluatedRollout.sinks(of: [before, after]) where sink.side == .new {
      if try evicts(from: sink, budget: &budget) { return true }
    }
    return false
  }

  /// Whether units lose a sink of the new side. Losing a sink of the old side is part of every migration.
  private func evicts(
    from sink: RolloutSink, budget: inout ProofBudget
  ) throws(ProofBudget.Exhausted) -> Bool {
    let comparison = try SinkComparison(of: sink, before, after, budget: &budget)
    for events in comparison.partition.events {
      for cell in try comparison.partition.cells(of: events, budget: &budget) {
        switch cell.units {
        case .everyone: if comparison.difference(in: cell).evicts { return true }
        case .named(let ids):
          let moves = ids.map { comparison.move(ofUnit: $0, in: cell, event: events.example) }
          if moves.contains(where: \.isLoss) { return true }
        }
      }
    }
    return false
  }

  private func doesHarm(to cell: ContextCell, _ partition: RolloutPartition, event: String) -> Bool {
    switch cell.units {
    case .everyone:
      let (old, new) = (partition.places(cell), partition.places(cell, side: 1))
      let withoutUnit = OutcomeMove(
        from: before.rollout.decision(old, bucket: nil).outcome, to: after.rollout.decision(new, bucket: nil).outcome)
      let overlaps = OutcomeOverlap.all(
        from: before.rollout.shares(old), to: after.rollout.shares(new), isReshuffle: isReshuffle)
      return ([withoutUnit] + overlaps.map(\.move)).contains { $0.isEviction || $0.isLoss }
    case .named(let ids):
      return ids.contains { id in
        let context = cell.example(unit: id)
        let move = OutcomeMove(
          from: before.snapshot.decision(for: event, context: context).outcome,
          to: after.snapshot.decision(for: event, context: context).outcome)
        return move.isEviction || move.isLoss
      }
    }
  }
}

extension RolloutSnapshot {
  /// Whether replacing the other rollout by this one is a kill: units lose the new tracker or a named sink of its side, or
  /// are left without a sink. `dualsend plan` fails for the same changes.
  ///
  /// The result is exact. If the rules distinguish too many cases, or a stored document cannot be read, the result is
  /// `true`: the rollout is then applied immediately, because delaying a kill could do harm.
  func isKill(of other: RolloutSnapshot) -> Bool {
    guard isReadable, other.isReadable else { return true }
    let salt = document?.salt ?? other.document?.salt ?? "none"
    let check = KillCheck(from: other.evaluated(salt: salt), to: evaluated(salt: salt))
    do { return try check.findsHarm() } catch { return true }
  }

  private var isReadable: Bool { compiled == nil || document != nil }

  /// This snapshot for proofs. Plain booleans become an equivalent document.
  private func evaluated(salt: String) -> EvaluatedRollout {
    if let document, let compiled { return EvaluatedRollout(document, at: time, compiled) }
    let outcome = decision(for: "", context: DecisionContext()).outcome
    func flag(_ isOn: Bool) -> RolloutFlag { .percentage(isOn ? .all : .none) }
    let document = RolloutDocument(
      revision: 0, salt: salt, shouldSendLogToOldLogger: flag(outcome.includesOldLogger),
      shouldSendLogToNewTracker: flag(outcome.includesNewTracker), allowNeither: true, missingUnit: .old, rules: [],
      offsets: RolloutOffsets(start: 0, oldLogger: nil, newTracker: nil))
    return EvaluatedRollout(document, at: time)
  }
}
