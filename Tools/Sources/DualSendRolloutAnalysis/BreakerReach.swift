public import DualSendCore
public import DualSendRollout

/// Whom breakers can bring back to the old logger: the units whose events a document gives to the new side.
///
/// A breaker gives the old logger what the new tracker would get and nothing else, so the reach of all breakers together is
/// the share of the new tracker. Exact, as ``RolloutCoverage`` is.
public struct BreakerReach: Sendable {
  /// Events with the same reach.
  public struct Events: Sendable, Hashable {
    /// The names, and prefixes as far as no other group has a closer one; `*` for all other events.
    public internal(set) var patterns: [EventPattern]
    /// The largest share of units, over all contexts, that can step back.
    public let steppingBack: RolloutPercentage
    /// The largest share of units, over all contexts, that have the new tracker alone and come back to the old logger.
    public let returning: RolloutPercentage
    /// The units that rules name and that can step back, in order; the shares do not count them.
    public let namedUnits: [String]
    /// Whether events without a unit ID can step back.
    public let withoutUnit: Bool
  }

  /// The events that a breaker can keep from the new side, sorted by pattern.
  public let events: [Events]

  /// Works out the reach at one time.
  ///
  /// - Parameter time: reads schedules, in milliseconds since 1970-01-01T00:00:00Z; `nil` is before all of them.
  /// - Throws: ``DocumentError`` if the rules tell too many cases apart.
  public init(of document: RolloutDocument, at time: Int64? = nil) throws(DocumentError) {
    let coverage = try RolloutCoverage(of: document, at: time)
    let all = coverage.events.map(Self.reach).filter {
      $0.steppingBack > .none || $0.withoutUnit || !$0.namedUnits.isEmpty
    }
    var positions: [Events: Int] = [:]
    var merged: [Events] = []
    for reach in all {
      var key = reach
      key.patterns = []
      if let position = positions[key] {
        merged[position].patterns += reach.patterns
      } else {
        positions[key] = merged.count
        merged.append(reach)
      }
    }
    events = merged.map { group in
      var group = group
      group.patterns = group.patterns.sortedByText()
      return group
    }.sorted { String.byteOrder($0.patterns[0].description, $1.patterns[0].description) }
  }

  private static func reach(_ events: RolloutCoverage.Events) -> Events {
    var (stepping, returning, withoutUnit) = (0, 0, false)
    var named: Set<String> = []
    for cell in events.cells {
      switch cell.population {
      case .everyone(let intervals, let outcome):
        let newOnly = intervals.buckets(of: .newOnly).count
        stepping = max(stepping, newOnly + intervals.buckets(of: .both).count)
        returning = max(returning, newOnly)
        withoutUnit = withoutUnit || outcome.includesNewTracker
      case .named(let units):
        named.formUnion(units.filter(\.outcome.includesNewTracker).map(\.id))
      }
    }
    return Events(
      patterns: events.patterns, steppingBack: RolloutPercentage(thousandths: stepping) ?? .none,
      returning: RolloutPercentage(thousandths: returning) ?? .none, namedUnits: named.sorted(by: String.byteOrder),
      withoutUnit: withoutUnit)
  }
}
