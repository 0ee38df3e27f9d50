import DualSend
@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendRollout
@_spi(Tools) import DualSendRolloutAnalysis

extension RolloutPlan.Events {
  private static let shownPatterns = 8

  /// The group's patterns, and below them what changes, by context.
  var text: String {
    let shown = patterns.prefix(Self.shownPatterns).map(\.words).joined(separator: ", ")
    let hidden = patterns.count - Self.shownPatterns
    let head = "\(PlanMark(moves.map(\.mark)).rawValue) \(shown)" + (hidden > 0 ? " and \(hidden) more" : "")
    return ([head] + changes.flatMap(\.lines) + unitLines).joined(separator: "\n")
  }

  private var unitLines: [String] {
    (units.isEmpty ? [] : ["    units that rules name"])
      + PlanTable.lines(
        units.map { unit in
          PlanTable.Row(
            move: SinkMove(unit.move), subject: "unit `\((unit.example.unitID ?? "").printable())`",
            example: unit.example.description.isEmpty ? "" : "e.g. with \(unit.example.description)")
        })
  }
}

extension RolloutPlan.Change {
  fileprivate var lines: [String] {
    let context = transitions.lazy.compactMap(\.example).first?.description ?? ""
    let setting =
      Self.change("old", before.oldLogger, after.oldLogger) + ", "
      + Self.change("new", before.newTracker, after.newTracker)
    let head = setting + (context.isEmpty ? "" : ", such as with \(context)")
    let shares = transitions.map { transition in
      PlanTable.Row(
        move: SinkMove(transition), subject: transition.share.description,
        example: transition.example?.unitID.map { "e.g. `\($0.printable())`" } ?? "")
    }
    let withoutUnit = PlanTable.Row(move: SinkMove(withoutUnit), subject: "no unit ID", example: "")
    let rows = (shares + [withoutUnit]).filter(\.move.isChange)
    return ["    " + head, "      " + Self.deciding(before.decidedBy, after.decidedBy)] + PlanTable.lines(rows)
  }

  private static func change(_ sink: String, _ before: RolloutPercentage, _ after: RolloutPercentage) -> String {
    before == after ? "\(sink) stays \(before)" : "\(sink) \(before) → \(after)"
  }

  private static func deciding(_ before: [String], _ after: [String]) -> String {
    let (old, new) = (words(before), words(after))
    return old == new ? "set by \(old)" : "was set by \(old), will be set by \(new)"
  }

  private static func words(_ deciding: [String]) -> String {
    deciding.map { $0.printable() }.joined(separator: " and ")
  }
}

extension EventPattern {
  /// The pattern as a document spells it; `*` with what it means beside other groups.
  fileprivate var words: String {
    self == .prefix("") ? "* (all events without a closer pattern)" : description.printable()
  }
}

/// The moves of one group in aligned columns.
private enum PlanTable {
  struct Row {
    let move: SinkMove
    /// Whom the move is about: a share of all units, or a unit.
    let subject: String
    let example: String
  }

  static func lines(_ rows: [Row]) -> [String] {
    func width(_ text: (Row) -> String) -> Int { rows.reduce(0) { max($0, text($1).terminalWidth) } }
    let (subjects, moves, effects) = (width(\.subject), width(\.move.words), width(\.move.effect))
    return rows.map { row in
      let cells = [
        row.move.mark.rawValue, row.subject.padded(to: subjects), row.move.words.padded(to: moves),
        row.move.effect.padded(to: effects), row.example,
      ]
      let line = "    " + cells.joined(separator: "  ")
      return line.replacing(#/\ +$/#, with: "")
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - terminalWidth))
  }
}
