public import DualSendRollout

/// The exact changes for all units when one document replaces another.
///
/// With the same salt, units keep their buckets, and every share is exact. With another salt, all units are reshuffled: the
/// share of each outcome is still exact, but that of each move assumes that the two hashes of an ID are independent, which
/// gives the expected share. Units that rules name are exact in either case.
public struct RolloutPlan: Sendable {
  /// One of the two documents.
  public struct Revision: Sendable, Hashable {
    /// The document's revision.
    public let revision: Int64
    /// The time for its schedules; `nil` for before all of them.
    public let time: Int64?
  }

  /// The shares of both flags in one of the documents.
  public struct Setting: Sendable, Hashable {
    /// The share of units that keep the old logger.
    public let oldLogger: RolloutPercentage
    /// The share of units that have the new tracker.
    public let newTracker: RolloutPercentage
    /// The names of the rules that decide, and `the top level`.
    public let decidedBy: [String]
  }

  /// The units with one outcome before and one after.
  public struct Transition: Sendable, Hashable {
    /// The outcome before.
    public let from: SinkDecision.Outcome
    /// The outcome after.
    public let to: SinkDecision.Outcome
    /// The share of all units.
    public let share: PopulationShare
    /// One of the units, verified with both documents; `nil` if the outcomes are equal, or if the search for a rare move of
    /// a reshuffle exceeded its limit.
    public let example: DecisionContext?
  }

  /// A change for some events in some contexts.
  public struct Change: Sendable, Hashable {
    /// One of the events, which the examples use.
    public let exampleEvent: String
    /// What decided before.
    public let before: Setting
    /// What decides after.
    public let after: Setting
    /// Every pair of outcomes that some unit has, moves and stays.
    public let transitions: [Transition]
    /// The move of events without a unit ID.
    public let withoutUnit: Move
  }

  /// An outcome before and one after.
  public typealias Move = OutcomeMove

  /// A unit that rules name and whose outcome changes.
  public struct UnitChange: Sendable, Hashable {
    /// A name among the events.
    public let exampleEvent: String
    /// The unit in a context in which it moves, verified with both documents.
    public let example: DecisionContext
    /// What changes for it.
    public let move: Move
  }

  /// Events with the same changes.
  public struct Events: Sendable, Hashable {
    /// The names, and prefixes as far as no other group has a closer one; `*` for all other events.
    public let patterns: [EventPattern]
    /// What changes, by context.
    public let changes: [Change]
    /// What changes for units that rules name.
    public let units: [UnitChange]
  }

  /// The document in force.
  public let before: Revision
  /// The new document.
  public let after: Revision
  /// Whether the salt changes, which gives every unit another bucket.
  public let isReshuffle: Bool
  /// The events for which something changes, sorted by pattern; empty if nothing does.
  public let events: [Events]
  /// The sinks that either document names, in order.
  public let namedSinks: [RolloutSink]
  /// The events for which something changes for a named sink, sorted by sink and pattern.
  public let sinks: [SinkEvents]
  /// The number of events and prefixes without changes.
  public let unchangedPatterns: Int
}

extension RolloutPlan.Change {
  /// Units that gain the old logger.
  public var gainsOldLogger: PopulationShare { share { !$0.includesOldLogger && $1.includesOldLogger } }
  /// Units that lose the old logger.
  public var losesOldLogger: PopulationShare { share { $0.includesOldLogger && !$1.includesOldLogger } }
  /// Units that gain the new tracker.
  public var gainsNewTracker: PopulationShare { share { !$0.includesNewTracker && $1.includesNewTracker } }
  /// Units that are evicted from the new tracker.
  public var losesNewTracker: PopulationShare { share { $0.includesNewTracker && !$1.includesNewTracker } }
  /// Units that had a sink and have none any more.
  public var losesEverySink: PopulationShare { share { $0 != .neither && $1 == .neither } }

  private func share(where isCounted: (SinkDecision.Outcome, SinkDecision.Outcome) -> Bool) -> PopulationShare {
    transitions.filter { isCounted($0.from, $0.to) }.map(\.share).reduce(.none, +)
  }
}

extension RolloutPlan {
  /// Whether units lose the new tracker, including events without a unit ID and units that rules name.
  public var evictsUnits: Bool { moves.contains(where: \.isEviction) }
  /// Whether units that had a sink have none.
  public var leavesUnitsWithoutSink: Bool { moves.contains(where: \.isLoss) }

  private var moves: [Move] {
    events.flatMap { events in
      events.units.map(\.move)
        + events.changes.flatMap { change in
          [change.withoutUnit] + change.transitions.map { Move(from: $0.from, to: $0.to) }
        }
    }
  }
}
