@_spi(Tools) import DualSendCore

extension ParityReport {
  /// The report for a pull request or a wiki: the table, then each differing event with its fields.
  package var markdown: String {
    let table = ParityTable(self)
    var lines = ["# Parity", ""]
    lines.append(Self.row(ParityTable.heading))
    lines.append("|---|--:|--:|--:|--:|--:|---|")
    lines += table.rows.map(Self.row)
    lines.append(Self.row(table.total.map { $0.isEmpty ? "" : "**\($0)**" }, isEscaped: true))
    for event in eventsByMismatch where event.mismatches > 0 && !event.worstFields.isEmpty {
      lines += ["", "## \(Self.escaped(event.title))", ""]
      for field in event.worstFields {
        let examples = field.examples.map { "`\($0.printable().replacing("`", with: "'"))`" }.joined(separator: ", ")
        lines.append("- \(Self.escaped(field.path)): \(field.summary); for example \(examples)")
      }
    }
    return (lines + [""] + footnotes.map { "- " + Self.escaped($0) }).joined(separator: "\n") + "\n"
  }

  private static func row(_ cells: [String]) -> String { row(cells, isEscaped: false) }

  private static func row(_ cells: [String], isEscaped: Bool) -> String {
    "| " + cells.map { isEscaped ? $0 : escaped($0) }.joined(separator: " | ") + " |"
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    // Scalar by scalar: a mark that combines with a character does not take its meaning away.
    for scalar in text.printable().unicodeScalars {
      if "\\`*_~[]<>|#&".unicodeScalars.contains(scalar) { escaped.append("\\") }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }
}
