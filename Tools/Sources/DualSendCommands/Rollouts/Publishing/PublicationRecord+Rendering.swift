import DualSend
import DualSendCommandLine
package import DualSendCore
import DualSendParity

extension PublicationRecord.Entry {
  private static let messageWidth = 60

  fileprivate static let titles = ["entry", "time", "revision", "user", "by", "message"]

  /// The cells of a table; ``titles`` names them.
  fileprivate var cells: [String] {
    [
      id, Timestamp.text(milliseconds: publication.time), revisions, publication.user,
      publication.by.rawValue + (publication.backTo.map { " to \($0)" } ?? ""),
      (publication.failure.map { "FAILED: \($0)" } ?? publication.message ?? "").printable(limit: Self.messageWidth),
    ]
  }

  private var revisions: String {
    func words(_ version: Publication.Version) -> String { version.revision.map(String.init) ?? "?" }
    return (publication.before.map { "\(words($0)) → " } ?? "") + words(publication.after)
  }

  /// Everything but the document's text.
  package var text: String {
    let limit = 10_000
    var lines = zip(Self.titles, cells).dropLast().map { "\($0): \($1.printable())" }
    lines.append("sha256: \(publication.after.hash.printable())")
    lines += (publication.failure.map { ["failed: \($0.printable())"] } ?? [])
    // The message keeps its lines.
    if let message = publication.message {
      lines +=
        [""]
        + message.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0.printable(limit: limit) }
    }
    if let plan = publication.plan { lines += ["", plan] }
    if let gate = publication.gate { lines += ["", "gate: " + gate.canonicalText.printable(limit: limit)] }
    return lines.joined(separator: "\n")
  }

  /// The entry with its name.
  ///
  /// - Parameter isWhole: whether with the document's text, the plan and the gate.
  package func json(isWhole: Bool) -> EventValue {
    guard case .object(var members) = publication.json else { return .null }
    if !isWhole { for key in ["text", "plan", "gate"] { members[key] = nil } }
    members["id"] = .string(id)
    return .object(members)
  }
}

extension [PublicationRecord.Entry] {
  var table: String {
    var table = TextTable(PublicationRecord.Entry.titles.map { .words($0) })
    for entry in self { table.addRow(entry.cells) }
    return table.text
  }

  var markdown: String {
    func row(_ cells: [String]) -> String {
      "| " + cells.map(ParityReport.markdownEscaped).joined(separator: " | ") + " |"
    }
    let titles = PublicationRecord.Entry.titles
    let lines = [row(titles), "|" + String(repeating: "---|", count: titles.count)] + map { row($0.cells) }
    return lines.joined(separator: "\n") + "\n"
  }
}
