package import DualSendCore
package import DualSendRollout

/// The exact changes for all units when one document replaces another.
///
/// With the same salt, units keep their buckets, and every share is exact. With another salt, all units are reshuffled: the
/// share of each outcome is still exact, but that of each move assumes that the two hashes of an ID are independent, which
/// gives the expected share. Units that rules name are exact in either case.
package struct RolloutPlan: Sendable {
  /// One of the two documents.
  package struct Revision: Sendable, Hashable {
    /// The document's revision.
    package let revision: Int64
    /// The time for its schedules; `nil` for before all of them.
    package let time: Int64?
  }

  /// The shares of both flags in one of the documents.
  package struct Setting: Sendable, Hashable {
    /// The share of units that keep the old logger.
    package let oldLogger: RolloutPercentage
    /// The share of units that have the new tracker.
    package let newTracker: RolloutPercentage
    /// The names of the rules that decide, and `the top level`.
    package let decidedBy: [String]
  }

  /// The units with one outcome before and one after.
  package struct Transition: Sendable, Hashable {
    /// The outcome before.
    package let from: SinkDecision.Outcome
    /// The outcome after.
    package let to: SinkDecision.Outcome
    /// The share of all units.
    package let share: PopulationShare
    /// One of the units, verified with both documents; `nil` if the outcomes are equal, or if the search for a rare move of
    /// a reshuffle exceeded its limit.
    package let example: DecisionContext?
  }

  /// A change for some events in some contexts.
  package struct Change: Sendable, Hashable {
    /// One of the events, which the examples use.
    package let exampleEvent: String
    /// What decided before.
    package let before: Setting
    /// What decides after.
    package let after: Setting
    /// Every pair of outcomes that some unit has, moves and stays.
    package let transitions: [Transition]
    /// The move of events without a unit ID.
    package let withoutUnit: Move
  }

  /// An outcome before and one after.
  package typealias Move = OutcomeMove

  /// A unit that rules name and whose outcome changes.
  package struct UnitChange: Sendable, Hashable {
    /// A name among the events.
    package let exampleEvent: String
    /// The unit in a context in which it moves, verified with both documents.
    package let example: DecisionContext
    /// What changes for it.
    package let move: Move
  }

  /// Events with the same changes.
  package struct Events: Sendable, Hashable {
    /// The names, and prefixes as far as no other group has a closer one; `*` for all other events.
    package let patterns: [EventPattern]
    /// What changes, by context.
    package let changes: [Change]
    /// What changes for units that rules name.
    package let units: [UnitChange]
  }

  /// The document in force.
  package let before: Revision
  /// The new document.
  package let after: Revision
  /// Whether the salt changes, which gives every unit another bucket.
  package let isReshuffle: Bool
  /// The events for which something changes, sorted by pattern; empty if nothing does.
  package let events: [Events]
  /// The sinks that either document names, in order.
  package let namedSinks: [RolloutSink]
  /// The events for which something changes for a named sink, sorted by sink and pattern.
  package let sinks: [SinkEvents]
  /// The number of events and prefixes without changes.
  package let unchangedPatterns: Int
}

extension RolloutPlan.Change {
  /// Units that gain the old logger.
  package var gainsOldLogger: PopulationShare { share { !$0.includesOldLogger && $1.includesOldLogger } }
  /// Units that lose the old logger.
  package var losesOldLogger: PopulationShare { share { $0.includesOldLogger && !$1.includesOldLogger } }
  /// Units that gain the new tracker.
  package var gainsNewTracker: PopulationShare { share { !$0.includesNewTracker && $1.includesNewTracker } }
  /// Units that are evicted from the new tracker.
  package var losesNewTracker: PopulationShare { share { $0.includesNewTracker && !$1.includesNewTracker } }
  /// Units that had a sink and have none any more.
  package var losesEverySink: PopulationShare { share { $0 != .neither && $1 == .neither } }

  private func share(where isCounted: (SinkDecision.Outcome, SinkDecision.Outcome) -> Bool) -> PopulationShare {
    transitions.filter { isCounted($0.from, $0.to) }.map(\.share).reduce(.none, +)
  }
}

extension RolloutPlan {
  /// Whether units lose the new tracker, including events without a unit ID and units that rules name.
  package var evictsUnits: Bool { moves.contains(where: \.isEviction) }
  /// Whether units that had a sink have none.
  package var leavesUnitsWithoutSink: Bool { moves.contains(where: \.isLoss) }

  private var moves: [Move] {
    events.flatMap { events in
      events.units.map(\.move)
        + events.changes.flatMap { change in
          [change.withoutUnit] + change.transitions.map { Move(from: $0.from, to: $0.to) }
        }
    }
  }
}

extension RolloutPlan {
  /// Compares two documents, each with its schedules evaluated at a time.
  ///
  /// - Parameters:
  ///   - before: the document in force.
  ///   - timeBefore: the time for its schedules, in milliseconds since 1970-01-01T00:00:00Z.
  ///   - after: the new document.
  ///   - timeAfter: the time for its schedules.
  /// - Throws: ``DocumentError`` if the rules of both distinguish too many cases.
  package init(
    from before: RolloutDocument, at timeBefore: Int64? = nil, to after: RolloutDocument, at timeAfter: Int64? = nil
  ) throws(DocumentError) {
    var planner = RolloutPlanner(EvaluatedRollout(before, at: timeBefore), EvaluatedRollout(after, at: timeAfter))
    do {
      self = try planner.plan()
    } catch {
      throw DocumentError([after.tooManyRules])
    }
  }

  /// Compares two documents now, and then the second one before and after each step of its schedules.
  ///
  /// - Parameters:
  ///   - before: the document in force.
  ///   - after: the new document.
  ///   - now: milliseconds since 1970-01-01T00:00:00Z; `nil` for before every schedule. Without a schedule, plans have no time,
  ///     so that two runs give the same.
  /// - Returns: the plan for the new document, then one plan for each later step.
  /// - Throws: ``DocumentError`` if the rules distinguish too many cases.
  package static func steps(
    from before: RolloutDocument, to after: RolloutDocument, now: Int64? = nil
  ) throws(DocumentError) -> [RolloutPlan] {
    let now = (before.changeTimes + after.changeTimes).isEmpty ? nil : now
    var plans = [try RolloutPlan(from: before, at: now, to: after, at: now)]
    var last = now
    for time in after.changeTimes where now.map({ time > $0 }) ?? true {
      plans.append(try RolloutPlan(from: after, at: last, to: after, at: time))
      last = time
    }
    return plans
  }
}

/// The changes for named sinks, as exact as those for the two flags.
extension RolloutPlan {
  /// Events with the same changes for one sink.
  package struct SinkEvents: Sendable, Hashable {
    /// The sink.
    package let sink: RolloutSink
    /// The names, and prefixes as far as no other group has a closer one; `*` for all other events.
    package let patterns: [EventPattern]
    /// What changes, by context.
    package let changes: [SinkChange]
    /// What changes for units that rules name.
    package let units: [SinkUnitChange]
  }

  /// The shares that decide about a sink in one of the documents.
  package struct SinkSetting: Sendable, Hashable {
    /// The share of units that the side's flag lets through.
    package let flag: RolloutPercentage
    /// The share that the document leaves to the sink; `nil` if the document does not name it.
    package let sink: RolloutPercentage?
    /// The share of units that the sink receives: the lower of the two.
    package let receives: RolloutPercentage
    /// The names of the rules that decide about the flag and the sink, and `the top level`.
    package let decidedBy: [String]
  }

  /// The units that gain or lose a sink.
  package struct SinkMove: Sendable, Hashable {
    /// The share of all units.
    package let share: PopulationShare
    /// One of the units, verified with both documents; `nil` if there are none, or if the search for a rare move of a
    /// reshuffle exceeded its limit.
    package let example: DecisionContext?
  }

  /// What changes for a sink for the same events in the same contexts.
  package struct SinkChange: Sendable, Hashable {
    /// A name among the events, which the examples are about.
    package let exampleEvent: String
    /// What decided before.
    package let before: SinkSetting
    /// What decides after.
    package let after: SinkSetting
    /// The units that gain the sink.
    package let gains: SinkMove
    /// The units that lose the sink.
    package let loses: SinkMove
    /// The move of events without a unit ID.
    package let withoutUnit: SinkComparison.Move
  }

  /// A unit that rules name and that gains or loses a sink.
  package struct SinkUnitChange: Sendable, Hashable {
    /// A name among the events.
    package let exampleEvent: String
    /// The unit in a context in which it moves, verified with both documents.
    package let example: DecisionContext
    /// What changes for it.
    package let move: SinkComparison.Move
  }

  /// The named sinks of the new side that lose units, including events without a unit ID and units that rules name. Losing a
  /// sink of the old side is part of every migration.
  package var evictingSinks: [RolloutSink] {
    Set(sinks.filter { $0.sink.side == .new && $0.losesUnits }.map(\.sink)).sorted()
  }
}

extension RolloutPlan.SinkEvents {
  fileprivate var losesUnits: Bool {
    units.contains(where: \.move.isLoss)
      || changes.contains { $0.loses.share > .none || $0.withoutUnit.isLoss }
  }
}

/// A share of all units in parts of 10,000,000,000, so that a bucket and a pair of buckets are whole numbers.
package struct PopulationShare: Sendable, Hashable, Comparable {
  /// The number of parts, which is the number of pairs of buckets.
  package static let count = RolloutBucket.count * RolloutBucket.count
  /// No units.
  package static let none = PopulationShare(parts: 0)

  /// The parts, `0...10_000_000_000`.
  package let parts: Int

  init(parts: Int) {
    self.parts = parts
  }

  init(buckets: Int) {
    parts = buckets * RolloutBucket.count
  }

  /// The share as a fraction of 1.
  package var fraction: Double { Double(parts) / Double(Self.count) }

  /// Orders by size.
  package static func < (left: PopulationShare, right: PopulationShare) -> Bool {
    left.parts < right.parts
  }

  /// The share of two disjoint groups of units.
  package static func + (left: PopulationShare, right: PopulationShare) -> PopulationShare {
    PopulationShare(parts: left.parts + right.parts)
  }
}

extension PopulationShare: CustomStringConvertible {
  /// The exact decimal form: `5 %`, `0.00000001 %`.
  package var description: String {
    let (whole, fraction) = parts.quotientAndRemainder(dividingBy: Self.count / 100)
    guard fraction > 0 else { return "\(whole) %" }
    var digits = String(Self.count / 100 + fraction).dropFirst()
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(whole).\(digits) %"
  }
}
