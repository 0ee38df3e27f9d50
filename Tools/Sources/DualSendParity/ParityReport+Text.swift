@_spi(Tools) import DualSendCore

extension ParityReport {
  /// The report for a terminal: a table with the worst events first, the worst fields with example ids, then the totals.
  ///
  /// - Parameter fieldLimit: how many fields are listed.
  package func text(fieldLimit: Int = 20) -> String {
    let table = ParityTable(self)
    var lines = Self.aligned([ParityTable.heading] + table.rows + [table.total])
    let fields = eventsByMismatch.flatMap { event in event.worstFields.map { (event, $0) } }
      .sorted { left, right in
        (right.1.mismatches, left.0.name, left.1.path) < (left.1.mismatches, right.0.name, right.1.path)
      }
    if !fields.isEmpty { lines += ["", "worst fields"] }
    for (event, field) in fields.prefix(fieldLimit) {
      lines.append("  \(event.name.printable())  \(field.path.printable()): \(field.summary)")
      lines.append("    for example \(field.examples.map { $0.printable() }.joined(separator: ", "))")
    }
    if fields.count > fieldLimit { lines.append("  … and \(fields.count - fieldLimit) more") }
    return (lines + [""] + footnotes).joined(separator: "\n") + "\n"
  }

  /// Pads columns, the first and the last to the left, numbers to the right.
  private static func aligned(_ rows: [[String]]) -> [String] {
    let rows = rows.map { $0.map { $0.printable() } }
    let columns = rows.first?.indices ?? 0..<0
    let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = columns.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return column == columns.first || column == columns.last ? row[column] + padding : padding + row[column]
      }
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
