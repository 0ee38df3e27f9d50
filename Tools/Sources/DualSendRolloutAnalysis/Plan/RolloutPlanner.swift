import DualSendCore
import DualSendRollout

/// Compares two documents: cuts events and contexts by the rules of both, and looks at each cell from both sides.
struct RolloutPlanner {
  /// What a cell looks like from both sides; cells that look the same are one change.
  private struct Comparison: Hashable {
    let before: FlagShares
    let after: FlagShares
    let withoutUnit: RolloutPlan.Move
  }

  /// The cells of one comparison: what decides in them, and one of them for examples.
  private struct Cells {
    let example: ContextCell
    var before: [FlagPlaces] = []
    var after: [FlagPlaces] = []

    mutating func note(_ places: [FlagPlaces]) {
      before.append(places[0])
      after.append(places[1])
    }
  }

  /// What makes events change together.
  private struct Signature: Hashable {
    var comparisons: [Comparison: Set<[FlagPlaces]>] = [:]
    var units: [DecisionContext: RolloutPlan.Move] = [:]
  }

  private let before: DatedRollout
  private let after: DatedRollout
  private let partition: RolloutPartition
  private let isReshuffle: Bool
  private var budget = ProofBudget()
  private var units: UnitFinder

  init(_ before: DatedRollout, _ after: DatedRollout) {
    self.before = before
    self.after = after
    partition = RolloutPartition([before, after])
    isReshuffle = !before.document.salt.isExactly(after.document.salt)
    // A reshuffle of many different shares has more rare moves than anybody waits for; those go without an example.
    units = UnitFinder(bucketing: before.rollout.bucketing, tries: 200_000_000)
  }

  mutating func plan() throws(ProofBudget.Exhausted) -> RolloutPlan {
    var groups: [RolloutPlan.Events] = []
    var patterns: [[EventPattern]] = []
    var positions: [Signature: Int] = [:]
    var unchanged = 0
    for events in partition.events {
      let (signature, changes, unitChanges) = try compare(events)
      if changes.isEmpty, unitChanges.isEmpty {
        unchanged += events.atoms.count
      } else if let position = positions[signature] {
        patterns[position] += events.atoms.map(\.pattern)
      } else {
        positions[signature] = groups.count
        patterns.append(events.atoms.map(\.pattern))
        groups.append(
          RolloutPlan.Events(
            patterns: [], changes: changes.map { change($0.comparison, $0.cells, events.example) },
            units: unitChanges))
      }
    }
    let merged = zip(groups, patterns).map { group, patterns in
      RolloutPlan.Events(patterns: patterns.sortedByText(), changes: group.changes, units: group.units)
    }
    return RolloutPlan(
      before: RolloutPlan.Revision(revision: before.document.revision, time: before.time),
      after: RolloutPlan.Revision(revision: after.document.revision, time: after.time), isReshuffle: isReshuffle,
      events: merged.sorted { String.byteOrder($0.patterns[0].description, $1.patterns[0].description) },
      namedSinks: DatedRollout.sinks(of: [before, after]), sinks: try sinks(), unchangedPatterns: unchanged)
  }

  private mutating func sinks() throws(ProofBudget.Exhausted) -> [RolloutPlan.SinkEvents] {
    var sinks: [RolloutPlan.SinkEvents] = []
    for sink in DatedRollout.sinks(of: [before, after]) {
      let planner = try SinkPlanner(sink, before, after, budget: &budget)
      sinks += try planner.events(budget: &budget, units: &units)
    }
    return sinks
  }

  /// What changes for events with the same rules, in the order of the partition.
  private mutating func compare(
    _ events: RolloutPartition.Events
  ) throws(ProofBudget.Exhausted) -> (Signature, [(comparison: Comparison, cells: Cells)], [RolloutPlan.UnitChange]) {
    var signature = Signature()
    var order: [Comparison] = []
    var found: [Comparison: Cells] = [:]
    var unitChanges: [RolloutPlan.UnitChange] = []
    for cell in try partition.cells(of: events, budget: &budget) {
      let places = [partition.places(cell), partition.places(cell, side: 1)]
      switch cell.units {
      case .everyone:
        let comparison = Comparison(
          before: before.rollout.shares(places[0]), after: after.rollout.shares(places[1]),
          withoutUnit: RolloutPlan.Move(
            from: before.rollout.decision(places[0], bucket: nil).outcome,
            to: after.rollout.decision(places[1], bucket: nil).outcome))
        guard isChange(comparison) else { continue }
        if found[comparison] == nil { order.append(comparison) }
        found[comparison, default: Cells(example: cell)].note(places)
        signature.comparisons[comparison, default: []].insert(places)
      case .named(let ids):
        for change in unitMoves(ids, in: cell, events.example) {
          unitChanges.append(change)
          signature.units[change.example] = change.move
        }
      }
    }
    return (signature, order.compactMap { key in found[key].map { (key, $0) } }, unitChanges)
  }

  private func unitMoves(
    _ ids: [String], in cell: ContextCell, _ event: String
  ) -> [RolloutPlan.UnitChange] {
    ids.compactMap { id in
      var context = cell.example
      context.unitID = id
      let move = RolloutPlan.Move(
        from: before.snapshot.decision(for: event, context: context).outcome,
        to: after.snapshot.decision(for: event, context: context).outcome)
      guard move.from != move.to else { return nil }
      return RolloutPlan.UnitChange(exampleEvent: event, example: context, move: move)
    }
  }

  private func isChange(_ comparison: Comparison) -> Bool {
    comparison.withoutUnit.from != comparison.withoutUnit.to
      || overlaps(comparison).contains { $0.move.from != $0.move.to }
  }

  private func overlaps(_ comparison: Comparison) -> [OutcomeOverlap] {
    OutcomeOverlap.all(from: comparison.before, to: comparison.after, isReshuffle: isReshuffle)
  }

  private mutating func change(_ comparison: Comparison, _ cells: Cells, _ event: String) -> RolloutPlan.Change {
    var transitions: [RolloutPlan.Transition] = []
    let decisionsBefore = CellDecisions(before, event: event, in: cells.example)
    let decisionsAfter = CellDecisions(after, event: event, in: cells.example)
    for overlap in overlaps(comparison) {
      // A reshuffle tries many units; the second hash alone refuses most of them.
      let example =
        overlap.move.from == overlap.move.to
        ? nil
        : units.context(of: cells.example, in: overlap.buckets) { id in
          decisionsAfter.outcome(ofUnit: id) == overlap.move.to
            && decisionsBefore.outcome(ofUnit: id) == overlap.move.from
        }
      transitions.append(
        RolloutPlan.Transition(
          from: overlap.move.from, to: overlap.move.to, share: PopulationShare(parts: overlap.pairs), example: example))
    }
    return RolloutPlan.Change(
      exampleEvent: event, before: setting(before, comparison.before, cells.before),
      after: setting(after, comparison.after, cells.after), transitions: transitions,
      withoutUnit: comparison.withoutUnit)
  }

  private func setting(_ side: DatedRollout, _ shares: FlagShares, _ places: [FlagPlaces]) -> RolloutPlan.Setting {
    var names: [String] = []
    for place in places.flatMap({ [$0.oldLogger, $0.newTracker] }) {
      let name = side.document.name(of: place)
      if !names.contains(name) { names.append(name) }
    }
    return RolloutPlan.Setting(
      oldLogger: RolloutPercentage(thousandths: shares.oldLogger) ?? .none,
      newTracker: RolloutPercentage(thousandths: shares.newTracker) ?? .none, decidedBy: names)
  }
}

extension [EventPattern] {
  func sortedByText() -> [EventPattern] {
    sorted { String.byteOrder($0.description, $1.description) }
  }
}
