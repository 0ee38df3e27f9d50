import DualSendCore

extension ParityReport {
  /// The report as Markdown: the table, the failures of each event, and the events that do not pass.
  ///
  /// - Parameter judgement: the gate's judgement, if any.
  package func markdown(_ judgement: ParityJudgement? = nil) -> String {
    let table = ParityTable(self)
    var lines = ["# Parity", ""]
    lines.append(Self.row(ParityTable.heading))
    lines.append("|---|" + String(repeating: "--:|", count: ParityTable.heading.count - 2) + "---|")
    lines += table.rows.map(Self.row)
    lines.append(Self.row(table.total.map { $0.isEmpty ? "" : "**\($0)**" }, isEscaped: true))
    for event in eventsByFailures where !event.worstFields.isEmpty || !event.placings.isEmpty {
      lines += ["", "## \(Self.markdownEscaped(event.title))", ""]
      for field in event.worstFields {
        lines.append("- \(Self.markdownEscaped(field.path)): \(field.summary)" + Self.examples(field.examples))
      }
      if !event.placings.isEmpty {
        lines.append("- \(event.placings.joined(separator: ", "))" + Self.examples(event.placingExamples))
      }
    }
    if let judgement, !judgement.failures.isEmpty {
      lines += ["", "## What does not pass", ""]
      lines += judgement.failures.map { "- \(Self.markdownEscaped($0.event.name)): \($0.summary)" }
    }
    return (lines + [""] + footnotes(judgement).map { "- " + Self.markdownEscaped($0) }).joined(separator: "\n") + "\n"
  }

  private static func examples(_ ids: [String]) -> String {
    ids.isEmpty
      ? "" : "; for example " + ids.map { "`\($0.printable().replacing("`", with: "'"))`" }.joined(separator: ", ")
  }

  private static func row(_ cells: [String]) -> String { row(cells, isEscaped: false) }

  private static func row(_ cells: [String], isEscaped: Bool) -> String {
    "| " + cells.map { isEscaped ? $0 : markdownEscaped($0) }.joined(separator: " | ") + " |"
  }

  /// The text on one line, without meaning in Markdown.
  package static func markdownEscaped(_ text: String) -> String {
    var escaped = ""
    // By scalar: a Markdown character followed by a combining mark still has its meaning.
    for scalar in text.printable().unicodeScalars {
      if "\\`*_~[]<>|#&".unicodeScalars.contains(scalar) { escaped.append("\\") }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }
}
