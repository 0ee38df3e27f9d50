import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRollout

/// The phrases that all blocks of a plan share.
enum PlanWords {
  private static let shownPatterns = 8

  /// The first patterns, such as `home.*, shop.*`, and the count of the others.
  static func list(_ patterns: [EventPattern]) -> String {
    let shown = patterns.prefix(shownPatterns).map(\.words).joined(separator: ", ")
    let hidden = patterns.count - shownPatterns
    return shown + (hidden > 0 ? " and \(hidden) more" : "")
  }

  /// `new 5 % → 25 %`.
  static func change(_ subject: String, _ before: RolloutPercentage, _ after: RolloutPercentage) -> String {
    before == after ? "\(subject) stays \(before)" : "\(subject) \(before) → \(after)"
  }

  /// The rules that set the value before and after.
  static func deciding(_ before: [String], _ after: [String]) -> String {
    let (old, new) = (words(before), words(after))
    return old == new ? "set by \(old)" : "was set by \(old), will be set by \(new)"
  }

  private static func words(_ deciding: [String]) -> String {
    deciding.map { $0.printable() }.joined(separator: " and ")
  }
}

extension EventPattern {
  /// The pattern as a document spells it; `*` with its meaning beside other groups.
  fileprivate var words: String {
    self == .prefix("") ? "* (all events without a closer pattern)" : description.printable()
  }
}

extension DecisionContext {
  /// A unit that rules name.
  var namedSubject: String { "unit `\((unitID ?? "").printable())`" }

  /// The other conditions under which such a unit moves.
  var withContext: String { description.isEmpty ? "" : "e.g. with \(description)" }
}

extension DecisionContext? {
  /// An example unit of a share.
  var unitExample: String {
    self?.unitID.map { "e.g. `\($0.printable())`" } ?? ""
  }
}

/// The moves of one group in aligned columns.
enum PlanTable {
  struct Row {
    let mark: PlanMark
    /// The subject of the move (a share of all units, or one unit), the move, and an example. Rows have equal counts.
    let cells: [String]
  }

  static func lines(_ rows: [Row]) -> [String] {
    let columns = rows.first?.cells.indices ?? 0..<0
    let widths = columns.map { column in rows.reduce(0) { max($0, $1.cells[column].terminalWidth) } }
    return rows.map { row in
      let cells = zip(row.cells, widths).map { $0.padded(to: $1) }
      let line = "    " + ([row.mark.rawValue] + cells).joined(separator: "  ")
      return line.replacing(#/\ +$/#, with: "")
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - terminalWidth))
  }
}
