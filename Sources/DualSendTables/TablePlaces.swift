package import DualSendCore
package import DualSendRemapping

/// The positions of a remapping table's entries, rows and constants in its text.
package struct TablePlaces: Sendable {
  /// A row or a constant of the table as written.
  package struct Row: Hashable, Sendable {
    /// The event whose entry has the row; `*` for rows of every event.
    package let event: ExactText
    /// The path in the old payload, or that of a constant in the new one.
    package let source: KeyPathPattern

    package init(event: ExactText, source: KeyPathPattern) {
      (self.event, self.source) = (event, source)
    }
  }

  private let entries: [String: DocumentDiagnostic.Position]
  private let rows: [Row: DocumentDiagnostic.Position]
  private let constants: [Row: DocumentDiagnostic.Position]

  /// - Parameter bytes: the text of an accepted table; other texts have no positions.
  package init(_ bytes: [UInt8]) {
    guard let document = try? JSONReader().document(bytes) else {
      (entries, rows, constants) = ([:], [:], [:])
      return
    }
    var entries: [String: Int] = [:]
    var (rows, constants): ([Row: Int], [Row: Int]) = ([:], [:])
    for entry in document.root.members(of: "events") {
      entries[entry.key] = entry.keyOffset
      func note(_ text: String, _ offset: Int, in places: inout [Row: Int]) {
        guard let source = try? KeyPathPattern(text) else { return }
        places[Row(event: ExactText(entry.key), source: source)] = offset
      }
      for row in entry.value.members(of: "parameters") {
        for (text, offset) in [(row.key, row.keyOffset)] + row.value.alternativeTexts { note(text, offset, in: &rows) }
      }
      for constant in entry.value.members(of: "add") { note(constant.key, constant.keyOffset, in: &constants) }
    }
    let positions = document.source.positions(at: Set(entries.values).union(rows.values).union(constants.values))
    self.entries = entries.compactMapValues { positions[$0] }
    self.rows = rows.compactMapValues { positions[$0] }
    self.constants = constants.compactMapValues { positions[$0] }
  }

  package func place(of row: Row) -> DocumentDiagnostic.Position? { rows[row] }

  package func place(ofConstant row: Row) -> DocumentDiagnostic.Position? { constants[row] }

  package func place(ofEvent event: ExactText) -> DocumentDiagnostic.Position? { entries.value(exactly: event.text) }
}

extension JSONNode {
  /// The further sources of a row, in order, with their offsets.
  package var alternativeTexts: [(text: String, offset: Int)] {
    guard case .array(let elements)? = content(of: "or") else { return [] }
    return elements.compactMap { element in
      if case .string(let text) = element.content { (text, element.offset) } else { nil }
    }
  }

  /// The content of a member; `nil` if there is none.
  private func content(of key: String) -> Content? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key.isExactly(key) }?.value.content
  }

  /// The members of an object that is a member of this one.
  fileprivate func members(of key: String) -> [Member] {
    if case .object(let inner)? = content(of: key) { inner } else { [] }
  }
}
