package import DualSendCore
package import DualSendRollout

/// The exact share of units with each outcome, for every event and context at one time.
package struct RolloutCoverage: Sendable {
  /// Events that the rules treat alike.
  package struct Events: Sendable {
    /// The names, and prefixes as far as no other group has a closer one; `*` for all other events.
    package let patterns: [EventPattern]
    /// A name among them.
    package let example: String
    /// The outcomes, by context.
    package let cells: [Cell]
  }

  /// Contexts in which the same places decide.
  package struct Cell: Sendable {
    /// The places that decide the flags.
    package let places: FlagPlaces
    /// A context of the cell, without a unit.
    package let example: DecisionContext
    fileprivate let contexts: ContextCell
    /// The units: every bucket, or units that rules name.
    package let population: Population

    /// Contexts of the cell in words, such as `app version below 7.2`; "" for all.
    package var words: String { contexts.words }
    /// Whether ``words`` describe every context of the cell.
    package var wordsAreComplete: Bool { contexts.wordsAreComplete }
  }

  /// The units of a cell.
  package enum Population: Sendable {
    /// All units that no rule names: the buckets of each outcome, and the outcome without a unit ID.
    case everyone(OutcomeIntervals, withoutUnit: SinkDecision.Outcome)
    /// Units that rules name, each with its own outcome, in the order of the document.
    case named([NamedUnit])
  }

  /// A unit that rules name.
  package struct NamedUnit: Sendable, Hashable {
    /// The unit.
    package let id: String
    /// Its bucket.
    package let bucket: RolloutBucket
    /// Its outcome.
    package let outcome: SinkDecision.Outcome
  }

  /// The time for the schedules, in milliseconds since 1970-01-01T00:00:00Z; `nil` for before all of them.
  package let time: Int64?
  /// All events, grouped; sorted by pattern.
  package let events: [Events]
  /// The coverage of each named sink, in order.
  package let sinks: [SinkCoverage]

  /// Computes a document's coverage.
  ///
  /// - Throws: ``DocumentError`` if the rules distinguish too many cases.
  package init(of document: RolloutDocument, at time: Int64? = nil) throws(DocumentError) {
    let side = EvaluatedRollout(document, at: time)
    let partition = RolloutPartition([side])
    var budget = ProofBudget()
    var groups: [Events] = []
    var sinks: [SinkCoverage] = []
    do {
      for events in partition.events {
        let cells = try partition.cells(of: events, budget: &budget)
        groups.append(
          Events(
            patterns: events.atoms.map(\.pattern), example: events.example,
            cells: cells.map { Self.cell($0, partition.places($0), side) }))
      }
      for sink in EvaluatedRollout.sinks(of: [side]) {
        sinks.append(try SinkCoverage(of: sink, in: side, budget: &budget))
      }
    } catch {
      throw DocumentError([document.tooManyRules])
    }
    self.time = time
    self.events = groups
    self.sinks = sinks
  }

  private static func cell(_ cell: ContextCell, _ places: FlagPlaces, _ side: EvaluatedRollout) -> Cell {
    let population: Population
    switch cell.units {
    case .everyone:
      population = .everyone(
        OutcomeIntervals(side.rollout.decidedShares(places)),
        withoutUnit: side.rollout.decision(places, bucket: nil).outcome)
    case .named(let ids):
      population = .named(
        ids.map { id in
          let bucket = side.rollout.bucketing.bucket(of: id)
          return NamedUnit(id: id, bucket: bucket, outcome: side.rollout.decision(places, bucket: bucket).outcome)
        })
    }
    return Cell(
      places: places, example: cell.example, contexts: cell, population: population)
  }
}

/// The exact share of units that a named sink receives, for every event and context at one time.
package struct SinkCoverage: Sendable {
  /// Events that the rules treat alike.
  package struct Events: Sendable {
    /// The names, and prefixes as far as no other group has a closer one; `*` for all other events.
    package let patterns: [EventPattern]
    /// A name among them.
    package let example: String
    /// The units that the sink receives, by context.
    package let cells: [Cell]
  }

  /// Contexts in which the same places decide.
  package struct Cell: Sendable {
    /// The places that decide the flags.
    package let flags: FlagPlaces
    /// The place that decides about the sink.
    package let place: FlagPlace
    /// A context of the cell, without a unit.
    package let example: DecisionContext
    /// The units: every bucket, or units that rules name.
    package let population: Population
  }

  /// The units of a cell.
  package enum Population: Sendable {
    /// All units that no rule names.
    case everyone(SinkReach)
    /// Units that rules name, and whether the sink receives their events, in the order of the document.
    case named([(id: String, isReceived: Bool)])
  }

  /// The sink.
  package let sink: RolloutSink
  /// All events, grouped, in the order of the partition.
  package let events: [Events]

  init(of sink: RolloutSink, in side: EvaluatedRollout, budget: inout ProofBudget) throws(ProofBudget.Exhausted) {
    try budget.spend(compiling: side)
    let partition = RolloutPartition([side], sink: sink)
    var groups: [Events] = []
    for events in partition.events {
      var cells: [Cell] = []
      for cell in try partition.cells(of: events, budget: &budget) {
        let (flags, place) = (partition.places(cell), partition.sinkPlace(cell))
        let reach = side.rollout.reach(of: sink, flags: flags, at: place)
        let population: Population
        switch cell.units {
        case .everyone: population = .everyone(reach)
        case .named(let ids):
          population = .named(
            ids.map { ($0, reach.buckets.contains(side.rollout.bucketing.bucket(of: $0).index)) })
        }
        cells.append(Cell(flags: flags, place: place, example: cell.example, population: population))
      }
      groups.append(Events(patterns: events.atoms.map(\.pattern), example: events.example, cells: cells))
    }
    self.sink = sink
    self.events = groups
  }
}

extension SinkCoverage {
  /// The lowest and the highest share of units that the sink receives, over all events and contexts.
  package var range: ClosedRange<RolloutPercentage> {
    let shares = events.flatMap(\.cells).compactMap { cell in
      if case .everyone(let reach) = cell.population { reach.share } else { nil }
    }
    return (shares.min() ?? .none)...(shares.max() ?? .none)
  }
}
