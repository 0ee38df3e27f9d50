import DualSendCore
import DualSendRollout

/// Compares two documents cell by cell: the events and contexts that the rules of both distinguish.
struct RolloutPlanner {
  /// The difference between the documents in a cell. Cells with the same difference are one change.
  private struct Difference: Hashable {
    let before: FlagShares
    let after: FlagShares
    let withoutUnit: RolloutPlan.Move
  }

  private let before: EvaluatedRollout
  private let after: EvaluatedRollout
  private let partition: RolloutPartition
  private let isReshuffle: Bool
  private var budget = ProofBudget()
  private var units: UnitFinder

  init(_ before: EvaluatedRollout, _ after: EvaluatedRollout) {
    self.before = before
    self.after = after
    partition = RolloutPartition([before, after])
    isReshuffle = !before.document.salt.isExactly(after.document.salt)
    // Limits the search of a reshuffle, which has many rare moves. Moves beyond the limit have no example.
    units = UnitFinder(bucketing: before.rollout.bucketing, tries: 200_000_000)
  }

  mutating func plan() throws(ProofBudget.Exhausted) -> RolloutPlan {
    var groups = ChangeGroups<Difference, RolloutPlan.Move>()
    for events in partition.events {
      for cell in try partition.cells(of: events, budget: &budget) {
        let places = [partition.places(cell), partition.places(cell, side: 1)]
        switch cell.units {
        case .everyone:
          let difference = Difference(
            before: before.rollout.decidedShares(places[0]), after: after.rollout.decidedShares(places[1]),
            withoutUnit: RolloutPlan.Move(
              from: before.rollout.decision(places[0], bucket: nil).outcome,
              to: after.rollout.decision(places[1], bucket: nil).outcome))
          guard isChange(difference) else { continue }
          groups.note(
            difference, in: cell,
            decidedBy: zip([before, after], places).map { side, places in
              [places.oldLogger, places.newTracker].map { side.document.name(of: $0) }
            })
        case .named(let ids):
          for context in ids.map({ cell.example(unit: $0) }) {
            let move = RolloutPlan.Move(
              from: before.snapshot.decision(for: events.example, context: context).outcome,
              to: after.snapshot.decision(for: events.example, context: context).outcome)
            if move.from != move.to { groups.note(move, of: context) }
          }
        }
      }
      groups.endEvents(events)
    }
    let changed = groups.groups.map { group in
      RolloutPlan.Events(
        patterns: group.patterns, changes: group.changes.map { change($0.difference, $0.cells, group.example) },
        units: group.units.map {
          RolloutPlan.UnitChange(exampleEvent: group.example, example: $0.context, move: $0.move)
        }
      )
    }
    return RolloutPlan(
      before: RolloutPlan.Revision(revision: before.document.revision, time: before.time),
      after: RolloutPlan.Revision(revision: after.document.revision, time: after.time), isReshuffle: isReshuffle,
      events: changed.sorted { String.byteOrder($0.patterns[0].description, $1.patterns[0].description) },
      namedSinks: EvaluatedRollout.sinks(of: [before, after]), sinks: try sinks(),
      unchangedPatterns: groups.unchangedPatterns)
  }

  private mutating func sinks() throws(ProofBudget.Exhausted) -> [RolloutPlan.SinkEvents] {
    var sinks: [RolloutPlan.SinkEvents] = []
    for sink in EvaluatedRollout.sinks(of: [before, after]) {
      let planner = try SinkPlanner(sink, before, after, budget: &budget)
      sinks += try planner.events(budget: &budget, units: &units)
    }
    return sinks
  }

  private func isChange(_ difference: Difference) -> Bool {
    difference.withoutUnit.from != difference.withoutUnit.to
      || overlaps(difference).contains { $0.move.from != $0.move.to }
  }

  private func overlaps(_ difference: Difference) -> [OutcomeOverlap] {
    OutcomeOverlap.all(from: difference.before, to: difference.after, isReshuffle: isReshuffle)
  }

  private mutating func change(_ difference: Difference, _ cells: ChangedCells, _ event: String) -> RolloutPlan.Change {
    var transitions: [RolloutPlan.Transition] = []
    let decisionsBefore = CellDecisions(before, event: event, in: cells.example)
    let decisionsAfter = CellDecisions(after, event: event, in: cells.example)
    for overlap in overlaps(difference) {
      // The document after is checked first: in a reshuffle, it refuses most units.
      let example =
        overlap.move.from == overlap.move.to
        ? nil
        : units.context(of: cells.example, in: overlap.buckets) { id in
          decisionsAfter.decision(ofUnit: id).outcome == overlap.move.to
            && decisionsBefore.decision(ofUnit: id).outcome == overlap.move.from
        }
      transitions.append(
        RolloutPlan.Transition(
          from: overlap.move.from, to: overlap.move.to, share: PopulationShare(parts: overlap.pairs), example: example))
    }
    return RolloutPlan.Change(
      exampleEvent: event, before: setting(difference.before, cells.decidedBefore),
      after: setting(difference.after, cells.decidedAfter), transitions: transitions,
      withoutUnit: difference.withoutUnit)
  }

  private func setting(_ shares: FlagShares, _ decidedBy: [String]) -> RolloutPlan.Setting {
    RolloutPlan.Setting(
      oldLogger: RolloutPercentage(thousandths: shares.oldLogger) ?? .none,
      newTracker: RolloutPercentage(thousandths: shares.newTracker) ?? .none, decidedBy: decidedBy)
  }
}
