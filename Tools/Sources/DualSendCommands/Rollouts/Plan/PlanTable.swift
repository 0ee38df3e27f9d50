import DualSendCommandLine

/// The moves of one group in aligned columns.
enum PlanTable {
  struct Row {
    let mark: PlanMark
    /// Whom the move is about (a share of all units, or a unit), what it is, and an example; as many in every row.
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
