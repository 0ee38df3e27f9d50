import DualSendCore

extension ParityReport {
  /// The report for a pull request or a wiki: the table, each failing event with what is wrong, and what does not pass.
  ///
  /// - Parameter judgement: what the gate says of it, if one was asked.
  package func markdown(_ judgement: ParityJudgement? = nil) -> String {
    let table = ParityTable(self)
    var lines = ["# Parity", ""]
    lines.append(Self.row(ParityTable.heading))
    lines.append("|---|" + String(repeating: "--:|", count: ParityTable.heading.count - 2) + "---|")
    lines += table.rows.map(Self.row)
    lines.append(Self.row(table.total.map { $0.isEmpty ? "" : "**\($0)**" }, isEscaped: true))
    for event in eventsByFailures where !event.worstFields.isEmpty || !event.placings.isEmpty {
      lines += ["", "## \(Self.escaped(event.title))", ""]
      for field in event.worstFields {
        lines.append("- \(Self.escaped(field.path)): \(field.summary)" + Self.examples(field.examples))
      }
      if !event.placings.isEmpty {
        lines.append("- \(event.placings.joined(separator: ", "))" + Self.examples(event.placingExamples))
      }
    }
    if let judgement, !judgement.failures.isEmpty {
      lines += ["", "## What does not pass", ""]
      lines += judgement.failures.map { "- \(Self.escaped($0.event.name)): \($0.summary)" }
    }
    return (lines + [""] + footnotes(judgement).map { "- " + Self.escaped($0) }).joined(separator: "\n") + "\n"
  }

  private static func examples(_ ids: [String]) -> String {
    ids.isEmpty
      ? "" : "; for example " + ids.map { "`\($0.printable().replacing("`", with: "'"))`" }.joined(separator: ", ")
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
