public import DualSendRollout

/// What changes for whom when one document takes another's place: worked out, not sampled.
///
/// With the same salt a unit keeps its bucket, and every share is exact. With another salt everybody is reshuffled: the
/// share of each single outcome is still exact, but who moves where depends on two hashes of the same ID. Those are
/// treated as independent, which gives the shares to be expected; units that rules name are exact in either case.
public struct RolloutPlan: Sendable {
  /// One of the two documents.
  public struct Revision: Sendable, Hashable {
    /// The document's revision.
    public let revision: Int64
    /// The time that its schedules were read at; `nil` for before all of them.
    public let time: Int64?
  }

  /// What decides and how far both sinks are rolled out, in one of the documents.
  public struct Setting: Sendable, Hashable {
    /// The share of units that keep the old logger.
    public let oldLogger: RolloutPercentage
    /// The share of units that have the new tracker.
    public let newTracker: RolloutPercentage
    /// The rules that decide, as people call them, and `the top level`.
    public let decidedBy: [String]
  }

  /// Units that have one outcome before and one after.
  public struct Transition: Sendable, Hashable {
    /// The outcome before.
    public let from: SinkDecision.Outcome
    /// The outcome after.
    public let to: SinkDecision.Outcome
    /// How many units do that.
    public let share: PopulationShare
    /// One of them, found by search and checked by deciding with both documents; `nil` where nothing moves, or where
    /// the search of a reshuffle's rarest moves was given up.
    public let example: DecisionContext?
  }

  /// What changes for the same events in the same contexts.
  public struct Change: Sendable, Hashable {
    /// A name among the events, which the examples are about.
    public let exampleEvent: String
    /// What decided before.
    public let before: Setting
    /// What decides after.
    public let after: Setting
    /// Every pair of outcomes that some unit has, moves and stays.
    public let transitions: [Transition]
    /// What happens to events without a unit ID.
    public let withoutUnit: Move
  }

  /// An outcome before and one after.
  public typealias Move = OutcomeMove

  /// A unit that rules name and whose outcome changes.
  public struct UnitChange: Sendable, Hashable {
    /// A name among the events.
    public let exampleEvent: String
    /// The unit in a context in which it moves; checked by deciding with both documents.
    public let example: DecisionContext
    /// What changes for it.
    public let move: Move
  }

  /// Events for which the same things change.
  public struct Events: Sendable, Hashable {
    /// The names, and prefixes as far as no other group has a closer one; `*` for all other events.
    public let patterns: [EventPattern]
    /// What changes, by context.
    public let changes: [Change]
    /// What changes for units that rules name.
    public let units: [UnitChange]
  }

  /// What was in force.
  public let before: Revision
  /// What shall be.
  public let after: Revision
  /// Whether the salt changes, which gives every unit another bucket.
  public let isReshuffle: Bool
  /// The events for which something changes, sorted by pattern; empty if nothing does.
  public let events: [Events]
  /// The sinks that either document names, in order.
  public let namedSinks: [RolloutSink]
  /// The same for those sinks, sorted by sink and pattern; empty if nothing changes.
  public let sinks: [SinkEvents]
  /// How many events and prefixes stay as they are.
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
  /// Whether somebody, units without an ID and units that rules name included, is evicted from the new tracker.
  public var evictsSomebody: Bool { moves.contains(where: \.isEviction) }
  /// Whether somebody had a sink and has none any more.
  public var leavesSomebodyWithoutSink: Bool { moves.contains(where: \.isLoss) }

  private var moves: [Move] {
    events.flatMap { events in
      events.units.map(\.move)
        + events.changes.flatMap { change in
          [change.withoutUnit] + change.transitions.map { Move(from: $0.from, to: $0.to) }
        }
    }
  }
}
