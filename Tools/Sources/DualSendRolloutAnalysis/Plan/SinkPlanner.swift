import DualSendCore
import DualSendRollout

/// Compares what two documents do with one named sink: looks at each cell of events and contexts from both sides.
struct SinkPlanner {
  /// The cells of one difference: what decides in them, and one of them for examples.
  private struct Cells {
    let example: ContextCell
    var before: [String] = []
    var after: [String] = []
  }

  /// What makes events change together.
  private struct Signature: Hashable {
    var differences: [SinkComparison.Difference: Set<[String]>] = [:]
    var units: [DecisionContext: SinkComparison.Move] = [:]
  }

  private let before: DatedRollout
  private let after: DatedRollout
  private let comparison: SinkComparison

  init(
    _ sink: RolloutSink, _ before: DatedRollout, _ after: DatedRollout, budget: inout ProofBudget
  ) throws(ProofBudget.Exhausted) {
    self.before = before
    self.after = after
    comparison = try SinkComparison(of: sink, before, after, budget: &budget)
  }

  /// The events for which something changes, sorted by pattern.
  func events(
    budget: inout ProofBudget, units: inout UnitFinder
  ) throws(ProofBudget.Exhausted) -> [RolloutPlan.SinkEvents] {
    var groups: [RolloutPlan.SinkEvents] = []
    var patterns: [[EventPattern]] = []
    var positions: [Signature: Int] = [:]
    for events in comparison.partition.events {
      let (signature, differences, unitChanges) = try compare(events, budget: &budget)
      if differences.isEmpty, unitChanges.isEmpty { continue }
      if let position = positions[signature] {
        patterns[position] += events.atoms.map(\.pattern)
      } else {
        positions[signature] = groups.count
        patterns.append(events.atoms.map(\.pattern))
        var changes: [RolloutPlan.SinkChange] = []
        for (difference, cells) in differences {
          changes.append(change(difference, cells, events.example, units: &units))
        }
        groups.append(
          RolloutPlan.SinkEvents(sink: comparison.sink, patterns: [], changes: changes, units: unitChanges))
      }
    }
    let merged = zip(groups, patterns).map { group, patterns in
      RolloutPlan.SinkEvents(
        sink: group.sink, patterns: patterns.sortedByText(), changes: group.changes, units: group.units)
    }
    return merged.sorted { String.byteOrder($0.patterns[0].description, $1.patterns[0].description) }
  }

  private func compare(
    _ events: RolloutPartition.Events, budget: inout ProofBudget
  ) throws(ProofBudget.Exhausted) -> (
    Signature, [(difference: SinkComparison.Difference, cells: Cells)], [RolloutPlan.SinkUnitChange]
  ) {
    var signature = Signature()
    var order: [SinkComparison.Difference] = []
    var found: [SinkComparison.Difference: Cells] = [:]
    var unitChanges: [RolloutPlan.SinkUnitChange] = []
    for cell in try comparison.partition.cells(of: events, budget: &budget) {
      switch cell.units {
      case .everyone:
        let difference = comparison.difference(in: cell)
        guard difference.isChange else { continue }
        let names = [before, after].enumerated().map { decidingNames(in: cell, side: $0.offset, of: $0.element) }
        if found[difference] == nil { order.append(difference) }
        var cells = found[difference] ?? Cells(example: cell)
        cells.before.append(contentsOf: names[0].filter { !cells.before.contains($0) })
        cells.after.append(contentsOf: names[1].filter { !cells.after.contains($0) })
        found[difference] = cells
        signature.differences[difference, default: []].insert(names[0] + [""] + names[1])
      case .named(let ids):
        for id in ids {
          let move = comparison.move(ofUnit: id, in: cell, event: events.example)
          guard move.isChange else { continue }
          var context = cell.example
          context.unitID = id
          unitChanges.append(
            RolloutPlan.SinkUnitChange(exampleEvent: events.example, example: context, move: move))
          signature.units[context] = move
        }
      }
    }
    return (signature, order.compactMap { key in found[key].map { (key, $0) } }, unitChanges)
  }

  /// What decides about the flag, and about the sink if the document names it.
  private func decidingNames(in cell: ContextCell, side: Int, of rollout: DatedRollout) -> [String] {
    let places = comparison.partition.places(cell, side: side)
    let flag = comparison.sink.side == .old ? places.oldLogger : places.newTracker
    let isNamed = rollout.document.sinks.flag(of: comparison.sink) != nil
    let all = [flag] + (isNamed ? [comparison.partition.sinkPlace(cell, side: side)] : [])
    return all.map { rollout.document.name(of: $0) }
  }

  private func change(
    _ difference: SinkComparison.Difference, _ cells: Cells, _ event: String, units: inout UnitFinder
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
      exampleEvent: event, before: setting(difference.before, before, cells.before),
      after: setting(difference.after, after, cells.after), gains: move(difference.gain, isGain: true),
      loses: move(difference.loss, isGain: false), withoutUnit: difference.withoutUnit)
  }

  private func setting(
    _ reach: SinkReach, _ side: DatedRollout, _ decidedBy: [String]
  ) -> RolloutPlan.SinkSetting {
    let isNamed = side.document.sinks.flag(of: comparison.sink) != nil
    return RolloutPlan.SinkSetting(
      flag: RolloutPercentage(thousandths: reach.flag) ?? .none,
      sink: isNamed ? RolloutPercentage(thousandths: reach.sink) : nil, receives: reach.share, decidedBy: decidedBy)
  }
}
