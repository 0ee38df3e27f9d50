public import DualSendRollout

/// What changes for the sinks that a document names, each as exact as what changes for the two flags.
extension RolloutPlan {
  /// Events for which the same things change for one sink.
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

  /// What decides about a sink in one of the documents.
  public struct SinkSetting: Sendable, Hashable {
    /// The share of units that the side's flag lets through.
    public let flag: RolloutPercentage
    /// The share that the document leaves to the sink; `nil` if the document does not name it.
    public let sink: RolloutPercentage?
    /// The share of units that the sink receives: the lower of the two.
    public let receives: RolloutPercentage
    /// The rules that decide about the flag and the sink, as people call them, and `the top level`.
    public let decidedBy: [String]
  }

  /// Units that gain a sink, or lose it.
  public struct SinkMove: Sendable, Hashable {
    /// How many units do that.
    public let share: PopulationShare
    /// One of them, found by search and checked by deciding with both documents; `nil` where nobody moves, or where the
    /// search of a reshuffle's rarest moves was given up.
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
    /// Who gains the sink.
    public let gains: SinkMove
    /// Who loses it.
    public let loses: SinkMove
    /// What happens to events without a unit ID.
    public let withoutUnit: SinkComparison.Move
  }

  /// A unit that rules name and that gains or loses a sink.
  public struct SinkUnitChange: Sendable, Hashable {
    /// A name among the events.
    public let exampleEvent: String
    /// The unit in a context in which it moves; checked by deciding with both documents.
    public let example: DecisionContext
    /// What changes for it.
    public let move: SinkComparison.Move
  }

  /// The named sinks of the new side that somebody, units without an ID and units that rules name included, is evicted
  /// from, in order. To lose a sink of the old side is what the migration is about.
  public var evictingSinks: [RolloutSink] {
    Set(sinks.filter { $0.sink.side == .new && $0.losesSomebody }.map(\.sink)).sorted()
  }
}

extension RolloutPlan.SinkEvents {
  fileprivate var losesSomebody: Bool {
    units.contains(where: \.move.isLoss)
      || changes.contains { $0.loses.share > .none || $0.withoutUnit.isLoss }
  }
}
