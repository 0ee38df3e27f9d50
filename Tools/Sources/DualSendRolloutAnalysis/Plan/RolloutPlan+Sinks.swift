public import DualSendRollout

/// The changes for named sinks, as exact as those for the two flags.
extension RolloutPlan {
  /// Events with the same changes for one sink.
  public struct SinkEvents: Sendable, Hashable {
    /// The sink.
    public let sink: RolloutSink
    /// The names, and prefixes as far as no other group has a closer one; `*` for all other events.
    public let patterns: [EventPattern]
    /// What changes, by context.
    public let changes: [SinkChange]
    /// What changes for units that rules name.
    public let units: [SinkUnitChange]
  }

  /// The shares that decide about a sink in one of the documents.
  public struct SinkSetting: Sendable, Hashable {
    /// The share of units that the side's flag lets through.
    public let flag: RolloutPercentage
    /// The share that the document leaves to the sink; `nil` if the document does not name it.
    public let sink: RolloutPercentage?
    /// The share of units that the sink receives: the lower of the two.
    public let receives: RolloutPercentage
    /// The names of the rules that decide about the flag and the sink, and `the top level`.
    public let decidedBy: [String]
  }

  /// The units that gain or lose a sink.
  public struct SinkMove: Sendable, Hashable {
    /// The share of all units.
    public let share: PopulationShare
    /// One of the units, verified with both documents; `nil` if there are none, or if the search for a rare move of a
    /// reshuffle exceeded its limit.
    public let example: DecisionContext?
  }

  /// What changes for a sink for the same events in the same contexts.
  public struct SinkChange: Sendable, Hashable {
    /// A name among the events, which the examples are about.
    public let exampleEvent: String
    /// What decided before.
    public let before: SinkSetting
    /// What decides after.
    public let after: SinkSetting
    /// The units that gain the sink.
    public let gains: SinkMove
    /// The units that lose the sink.
    public let loses: SinkMove
    /// The move of events without a unit ID.
    public let withoutUnit: SinkComparison.Move
  }

  /// A unit that rules name and that gains or loses a sink.
  public struct SinkUnitChange: Sendable, Hashable {
    /// A name among the events.
    public let exampleEvent: String
    /// The unit in a context in which it moves, verified with both documents.
    public let example: DecisionContext
    /// What changes for it.
    public let move: SinkComparison.Move
  }

  /// The named sinks of the new side that lose units, including events without a unit ID and units that rules name. Losing a
  /// sink of the old side is part of every migration.
  public var evictingSinks: [RolloutSink] {
    Set(sinks.filter { $0.sink.side == .new && $0.losesUnits }.map(\.sink)).sorted()
  }
}

extension RolloutPlan.SinkEvents {
  fileprivate var losesUnits: Bool {
    units.contains(where: \.move.isLoss)
      || changes.contains { $0.loses.share > .none || $0.withoutUnit.isLoss }
  }
}
