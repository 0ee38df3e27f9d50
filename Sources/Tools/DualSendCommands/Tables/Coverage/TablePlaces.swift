import DualSend
package import DualSendCore
import DualSendRemapping

/// The positions of a remapping table's entries and rows in its text.
package struct TablePlaces: Sendable {
  private let entries: [String: DocumentDiagnostic.Position]
  private let rows: [TableCoverage.Row: DocumentDiagnostic.Position]

  /// - Parameter bytes: the text of an accepted table; other texts have no positions.
  package init(_ bytes: [UInt8]) {
    guard let document = try? JSONReader().document(bytes) else {
      (entries, rows) = ([:], [:])
      return
    }
    var entries: [String: Int] = [:]
    var rows: [TableCoverage.Row: Int] = [:]
    for entry in document.root.members(of: "events") {
      entries[entry.key] = entry.keyOffset
      for row in entry.value.members(of: "parameters") {
        for (text, offset) in [(row.key, row.keyOffset)] + row.value.alternativeTexts {
          guard let source = try? KeyPathPattern(text) else { continue }
          rows[TableCoverage.Row(event: ExactText(entry.key), source: source)] = offset
        }
      }
    }
    let positions = document.source.positions(at: Set(entries.values).union(rows.values))
    self.entries = entries.compactMapValues { positions[$0] }
    self.rows = rows.compactMapValues { positions[$0] }
  }

  package func place(of row: TableCoverage.Row) -> DocumentDiagnostic.Position? { rows[row] }

  func place(ofEvent event: ExactText) -> DocumentDiagnostic.Position? { entries.value(exactly: event.text) }
}

extension JSONNode {
  /// The members of an object that is a member of this one.
  fileprivate func members(of key: String) -> [Member] {
    guard case .object(let members) = content, let member = members.first(where: { $0.key == key }),
      case .object(let inner) = member.value.content
    else { return [] }
    return inner
  }
}
