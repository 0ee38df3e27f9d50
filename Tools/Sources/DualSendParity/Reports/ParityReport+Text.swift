import DualSendCore

extension ParityReport {
  /// The report for a terminal: a table with the worst events first, the worst fields with example ids, and the totals.
  ///
  /// - Parameters:
  ///   - judgement: the gate's judgement, if any.
  ///   - fieldLimit: the most fields, and the most events with lost or unexpected lines, that are listed.
  package func text(_ judgement: ParityJudgement? = nil, fieldLimit: Int = 20) -> String {
    let table = ParityTable(self)
    var lines = Self.aligned([ParityTable.heading] + table.rows + [table.total])
    let fields = eventsByFailures.flatMap { event in event.worstFields.map { (event, $0) } }
      .sorted { left, right in
        (right.1.mismatches, ExactText(left.0.name), ExactText(left.1.path))
          < (left.1.mismatches, ExactText(right.0.name), ExactText(right.1.path))
      }
    if !fields.isEmpty { lines += ["", "worst fields"] }
    for (event, field) in fields.prefix(fieldLimit) {
      lines.append("  \(event.name.printable())  \(field.path.printable()): \(field.summary)")
      lines.append("    for example \(field.examples.map { $0.printable() }.joined(separator: ", "))")
    }
    if fields.count > fieldLimit { lines.append("  … and \(fields.count - fieldLimit) more") }
    lines += misplaced(limit: fieldLimit)
    return (lines + [""] + footnotes(judgement)).joined(separator: "\n") + "\n"
  }

  private func misplaced(limit: Int) -> [String] {
    let events = eventsByFailures.filter { !$0.placings.isEmpty }
    if events.isEmpty { return [] }
    let lines = events.prefix(limit).flatMap { event in
      ["  \(event.name.printable())  \(event.placings.joined(separator: ", "))"]
        + (event.placingExamples.isEmpty
          ? [] : ["    for example \(event.placingExamples.map { $0.printable() }.joined(separator: ", "))"])
    }
    let rest = events.count - limit
    return ["", "lost or unexpected"] + lines + (rest > 0 ? ["  … and \(rest) more"] : [])
  }

  /// Aligns columns: the first and the last to the left, numbers to the right.
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
