import DualSendCommandLine
import DualSendCore
import DualSendRemapping

/// A draft as a spreadsheet that a person edits, and `dualsend table import` reads.
///
/// One line for each event, each proposal and each question. The column `review` says `sure`, `check` (a proposal) or `open` (none
/// was found); a person writes `ok` there. The columns `how` and `candidates` are not imported.
package struct ReviewFile: Sendable {
  private static let columns = [
    "event", "key", "new event", "new key", "type", TableSheet.reviewColumn, "how", "candidates",
  ]

  private let lines: [[String: String]]

  package init(_ draft: TableDraft) {
    lines = draft.events.filter(\.canBeNamed).flatMap { Self.lines(of: $0) }
  }

  /// CSV with a header.
  package var csv: String {
    CSVLine.text(Self.columns.map { $0 == TableSheet.reviewColumn ? TableSheet.reviewHeading : $0 })
      + lines.map { line in CSVLine.text(Self.columns.map { line[$0] ?? "" }) }.joined()
  }

  /// The number of lines that a person should look at.
  package var unsureCount: Int { lines.count { $0[TableSheet.reviewColumn] != TableSheet.Review.sure.rawValue } }
  package var lineCount: Int { lines.count }

  private static func lines(of event: DraftedEvent) -> [[String: String]] {
    var own = event.naming.map(cells) ?? ["review": TableSheet.Review.open.rawValue]
    own["new event"] = event.newName.map(TableSheet.cell(ofName:))
    for question in event.open where question.key == nil { own["candidates"] = text(question.candidates) }
    var lines = [own]
    for row in event.rows {
      for (index, source) in row.sources.enumerated() {
        var line = cells(row.finding)
        line["key"] = TableSheet.cell(ofName: source.description)
        line["new key"] = TableSheet.cell(ofName: row.target.description)
        if index == 0 { line["type"] = row.type?.rawValue }
        lines.append(line)
      }
    }
    for question in event.open {
      guard let key = question.key else { continue }
      lines.append([
        "key": TableSheet.cell(ofName: key.text), "review": TableSheet.Review.open.rawValue,
        "how": question.obstacle ?? "", "candidates": text(question.candidates),
      ])
    }
    return lines.map { $0.merging(["event": TableSheet.cell(ofName: event.name)]) { own, _ in own } }
  }

  private static func cells(_ finding: DraftedEvent.Finding) -> [String: String] {
    let review = finding.isSure ? TableSheet.Review.sure : .check
    return [TableSheet.reviewColumn: review.rawValue, "how": finding.way.rawValue]
  }

  private static func text(_ candidates: [ExactText]) -> String { candidates.map(\.text).joined(separator: "; ") }
}
