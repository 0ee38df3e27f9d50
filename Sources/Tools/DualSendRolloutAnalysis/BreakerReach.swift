package import DualSendCore
package import DualSendRollout

/// The units that breakers can return to the old logger: those whose events a document gives to the new side.
///
/// Compares the outcome of each unit with the one on a device whose breaker is open. Exact, as ``RolloutCoverage`` is.
package struct BreakerReach: Sendable, Hashable {
  /// Events with the same reach.
  package struct Events: Sendable, Hashable {
    /// The names, and prefixes as far as no other group has a closer one; `*` for all other events.
    package internal(set) var patterns: [EventPattern]
    /// The largest share of units, over all contexts, that can step back.
    package let steppingBack: RolloutPercentage
    /// The largest share of units, over all contexts, that have only the new tracker and return to the old logger.
    package let returning: RolloutPercentage
    /// The units that rules name and that can step back, in order; the shares do not count them.
    package let namedUnits: [String]
    /// Whether events without a unit ID can step back.
    package let withoutUnit: Bool
  }

  /// The events that a breaker can keep from the new side, sorted by pattern.
  package let events: [Events]
  /// Whether a unit with a sink can have none while its breaker is open.
  package let leavesUnitsWithoutSink: Bool

  /// Computes the reach at one time.
  ///
  /// - Parameter time: the time for the schedules, in milliseconds since 1970-01-01T00:00:00Z; `nil` is before all of them.
  /// - Throws: ``DocumentError`` if the rules distinguish too many cases.
  package init(of document: RolloutDocument, at time: Int64? = nil) throws(DocumentError) {
    var positions: [Events: Int] = [:]
    var merged: [Events] = []
    var changes: Set<Change> = []
    for events in try RolloutCoverage(of: document, at: time).events {
      guard var reach = Self.reach(events, &changes) else { continue }
      if let position = positions[reach] {
        merged[position].patterns += events.patterns
      } else {
        positions[reach] = merged.count
        reach.patterns = events.patterns
        merged.append(reach)
      }
    }
    for index in merged.indices { merged[index].patterns.sort { String.byteOrder($0.description, $1.description) } }
    events = merged.sorted { String.byteOrder($0.patterns[0].description, $1.patterns[0].description) }
    leavesUnitsWithoutSink = changes.contains { $0.from != .neither && $0.to == .neither }
  }

  /// What an open breaker makes of an outcome.
  private struct Change: Hashable {
    let from: SinkDecision.Outcome
    let to: SinkDecision.Outcome

    init(_ outcome: SinkDecision.Outcome) { (from, to) = (outcome, outcome.withOpenBreaker) }

    var isBreakerOpen: Bool { from != to }
    var returns: Bool { !from.includesOldLogger && to.includesOldLogger }
  }

  /// - Parameter changes: receives the changes of all units.
  /// - Returns: the reach without patterns; `nil` if no unit can step back.
  private static func reach(_ events: RolloutCoverage.Events, _ changes: inout Set<Change>) -> Events? {
    var (stepping, returning, withoutUnit) = (0, 0, false)
    var named: Set<String> = []
    for cell in events.cells {
      switch cell.population {
      case .everyone(let intervals, let outcome):
        let all = SinkDecision.Outcome.allCases.map { (Change($0), intervals.buckets(of: $0).count) }
        changes.formUnion(all.filter { $0.1 > 0 }.map(\.0))
        changes.insert(Change(outcome))
        stepping = max(stepping, all.reduce(0) { $0 + ($1.0.isBreakerOpen ? $1.1 : 0) })
        returning = max(returning, all.reduce(0) { $0 + ($1.0.returns ? $1.1 : 0) })
        withoutUnit = withoutUnit || Change(outcome).isBreakerOpen
      case .named(let units):
        changes.formUnion(units.map { Change($0.outcome) })
        named.formUnion(units.filter { Change($0.outcome).isBreakerOpen }.map(\.id))
      }
    }
    guard stepping > 0 || withoutUnit || !named.isEmpty else { return nil }
    return Events(
      patterns: [], steppingBack: RolloutPercentage(thousandths: stepping) ?? .none,
      returning: RolloutPercentage(thousandths: returning) ?? .none, namedUnits: named.sorted(by: String.byteOrder),
      withoutUnit: withoutUnit)
  }
}
