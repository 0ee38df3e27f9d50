import DualSendCore
import DualSendRollout

/// The cells with the same difference.
struct ChangedCells {
  let example: ContextCell
  /// The names of the places that decide in the cells, each once.
  private(set) var decidedBefore: [String] = []
  private(set) var decidedAfter: [String] = []

  fileprivate mutating func note(_ decidedBy: [[String]]) {
    for name in decidedBy[0] where !decidedBefore.contains(name) { decidedBefore.append(name) }
    for name in decidedBy[1] where !decidedAfter.contains(name) { decidedAfter.append(name) }
  }
}

/// Groups events for which the same things change, for the two flags or for a named sink.
struct ChangeGroups<Difference: Hashable, Move: Hashable> {
  /// Events for which the same things change.
  struct Group {
    /// The events' patterns, sorted by their texts.
    fileprivate(set) var patterns: [EventPattern]
    /// One of the events.
    let example: String
    /// The differences, in the order of the partition.
    let changes: [(difference: Difference, cells: ChangedCells)]
    /// The units that rules name and that move.
    let units: [(context: DecisionContext, move: Move)]
  }

  /// Events with equal signatures are in one group.
  private struct Signature: Hashable {
    var decidedBy: [Difference: Set<[[String]]>] = [:]
    var units: [DecisionContext: Move] = [:]
  }

  /// The groups, in the order of the partition.
  private(set) var groups: [Group] = []
  /// The number of patterns for which nothing changes.
  private(set) var unchangedPatterns = 0
  private var positions: [Signature: Int] = [:]
  private var signature = Signature()
  private var order: [Difference] = []
  private var cells: [Difference: ChangedCells] = [:]
  private var units: [(context: DecisionContext, move: Move)] = []

  /// Adds a cell of the current events.
  ///
  /// - Parameters:
  ///   - difference: the difference in the cell.
  ///   - cell: the cell.
  ///   - decidedBy: the names of the places that decide, before and after.
  mutating func note(_ difference: Difference, in cell: ContextCell, decidedBy: [[String]]) {
    if cells[difference] == nil { order.append(difference) }
    cells[difference, default: ChangedCells(example: cell)].note(decidedBy)
    signature.decidedBy[difference, default: []].insert(decidedBy)
  }

  /// Adds a unit that moves, with a context of the current events.
  mutating func note(_ move: Move, of context: DecisionContext) {
    units.append((context, move))
    signature.units[context] = move
  }

  /// Adds the current events to a group and starts the next ones.
  mutating func endEvents(_ events: RolloutPartition.Events) {
    let patterns = events.atoms.map(\.pattern)
    if order.isEmpty, units.isEmpty {
      unchangedPatterns += patterns.count
    } else if let position = positions[signature] {
      groups[position].patterns = Self.sorted(groups[position].patterns + patterns)
    } else {
      positions[signature] = groups.count
      groups.append(
        Group(
          patterns: Self.sorted(patterns), example: events.example,
          changes: order.compactMap { key in cells[key].map { (key, $0) } }, units: units))
    }
    (signature, order, cells, units) = (Signature(), [], [:], [])
  }

  private static func sorted(_ patterns: [EventPattern]) -> [EventPattern] {
    patterns.sorted { String.byteOrder($0.description, $1.description) }
  }
}
