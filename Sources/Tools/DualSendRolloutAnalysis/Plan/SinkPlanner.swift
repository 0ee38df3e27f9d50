import DualSendCore
import DualSendRollout

/// Compares the units that one named sink receives under two documents, cell by cell.
struct SinkPlanner {
  private let before: EvaluatedRollout
  private let after: EvaluatedRollout
  private let comparison: SinkComparison

  init(
    _ sink: RolloutSink, _ before: EvaluatedRollout, _ after: EvaluatedRollout, budget: inout ProofBudget
  ) throws(ProofBudget.Exhausted) {
    self.before = before
    self.after = after
    comparison = try SinkComparison(of: sink, before, after, budget: &budget)
  }

  /// The events for which something changes, sorted by pattern.
  func events(
    budget: inout ProofBudget, units: inout UnitFinder
  ) throws(ProofBudget.Exhausted) -> [RolloutPlan.SinkEvents] {
    var groups = ChangeGroups<SinkComparison.Difference, SinkComparison.Move>()
    for events in comparison.partition.events {
      for cell in try comparison.partition.cells(of: events, budget: &budget) {
        switch cell.units {
        case .everyone:
          let difference = comparison.difference(in: cell)
          guard difference.isChange else { continue }
          groups.note(
            difference, in: cell,
            decidedBy: [before, after].enumerated().map { decidingNames(in: cell, side: $0.offset, of: $0.element) })
        case .named(let ids):
          for id in ids {
            let move = comparison.move(ofUnit: id, in: cell, event: events.example)
            if move.isChange { groups.note(move, of: cell.example(unit: id)) }
          }
        }
      }
      groups.endEvents(events)
    }
    var changed: [RolloutPlan.SinkEvents] = []
    for group in groups.groups {
      var changes: [RolloutPlan.SinkChange] = []
      for (difference, cells) in group.changes {
        changes.append(change(difference, cells, group.example, units: &units))
      }
      changed.append(
        RolloutPlan.SinkEvents(
          sink: comparison.sink, patterns: group.patterns, changes: changes,
          units: group.units.map {
            RolloutPlan.SinkUnitChange(exampleEvent: group.example, example: $0.context, move: $0.move)
          }))
    }
    return changed.sorted { String.byteOrder($0.patterns[0].description, $1.patterns[0].description) }
  }

  /// The names of the places that decide about the flag, and about the sink if the document names it.
  private func decidingNames(in cell: ContextCell, side: Int, of rollout: EvaluatedRollout) -> [String] {
    let places = comparison.partition.places(cell, side: side)
    let flag = comparison.sink.side == .old ? places.oldLogger : places.newTracker
    let isNamed = rollout.document.sinks.flag(of: comparison.sink) != nil
    let all = [flag] + (isNamed ? [comparison.partition.sinkPlace(cell, side: side)] : [])
    return all.map { rollout.document.name(of: $0) }
  }

  private func change(
    _ difference: SinkComparison.Difference, _ cells: ChangedCells, _ event: String, units: inout UnitFinder
  ) -> RolloutPlan.SinkChange {
    func move(_ overlap: SinkOverlap, isGain: Bool) -> RolloutPlan.SinkMove {
      let example =
        overlap.pairs == 0
        ? nil
        : units.context(of: cells.example, in: overlap.buckets) { id in
          let move = comparison.move(ofUnit: id, in: cells.example, event: event)
          return move.isChange && move.after == isGain
        }
      return RolloutPlan.SinkMove(share: PopulationShare(parts: overlap.pairs), example: example)
    }
    return RolloutPlan.SinkChange(
      exampleEvent: event, before: setting(difference.before, before, cells.decidedBefore),
      after: setting(difference.after, after, cells.decidedAfter), gains: move(difference.gain, isGain: true),
      loses: move(difference.loss, isGain: false), withoutUnit: difference.withoutUnit)
  }

  private func setting(
    _ reach: SinkReach, _ side: EvaluatedRollout, _ decidedBy: [String]
  ) -> RolloutPlan.SinkSetting {
    let isNamed = side.document.sinks.flag(of: comparison.sink) != nil
    return RolloutPlan.SinkSetting(
      flag: RolloutPercentage(thousandths: reach.flag) ?? .none,
      sink: isNamed ? RolloutPercentage(thousandths: reach.sink) : nil, receives: reach.share, decidedBy: decidedBy)
  }
}
