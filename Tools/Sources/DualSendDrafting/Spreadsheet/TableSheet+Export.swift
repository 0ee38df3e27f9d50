package import DualSendCore
import DualSendRemapping

/// A remapping table exported as lines of a spreadsheet, in the order of the document, without comments.
package struct TableExport: Sendable {
  private let lines: [[String]]

  /// - Throws: the findings about the table.
  package init(_ bytes: [UInt8], name: String? = nil) throws(DocumentError) {
    _ = try RemappingTable(bytes, name: name)
    let document = try DocumentReader(bytes, name: name).document
    lines = document.root.members("events").flatMap { Self.lines(of: $0) }
  }

  /// Comma-separated values with a header; see `CSVText` for formulas.
  package var csv: String {
    ([TableSheet.columns] + lines).map(CSVText.line).joined()
  }

  /// The lines as objects, without empty cells.
  package var json: EventValue {
    .array(
      lines.map { line in
        let cells = zip(TableSheet.columns, line).filter { !$0.1.isEmpty }.map { ($0.0, EventValue.string($0.1)) }
        return .object(Dictionary(uniqueKeysWithValues: cells))
      })
  }

  /// A Markdown table.
  package var markdown: String {
    let used = TableSheet.columns.indices.filter { column in
      column < 4 || lines.contains { !$0[column].isEmpty }
    }
    let rule = used.map { _ in "---" }
    let cells = [used.map { TableSheet.columns[$0] }, rule] + lines.map { line in used.map { Self.escaped(line[$0]) } }
    return cells.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }

  private static func escaped(_ text: String) -> String {
    text.printable(limit: PrintableText.lineLimit).reduce(into: "") { result, character in
      if "\\`*_{}[]<>|#&~".contains(character) { result += "\\" }
      result.append(character)
    }
  }

  private static func lines(of event: JSONNode.Member) -> [[String]] {
    var own = ["event": TableSheet.cell(ofName: event.key), "action": TableSheet.Action.event.rawValue]
    own["new event"] = event.value.text("name").map(TableSheet.cell(ofName:))
    own["unmapped"] = event.value.text("unmapped")
    own["on clash"] = event.value.text("onClash")
    own["allow"] = event.value.codes
    let rows = event.value.members("parameters").map { line(of: $0, event.key) }
    let constants = event.value.members("add").map { member in
      [
        "event": TableSheet.cell(ofName: event.key), "new key": TableSheet.cell(ofName: member.key),
        "action": TableSheet.Action.add.rawValue, "value": TableSheet.cell(of: member.value.eventValue),
      ]
    }
    return ([own] + rows + constants).map { line in TableSheet.columns.map { line[$0] ?? "" } }
  }

  private static func line(of row: JSONNode.Member, _ event: String) -> [String: String] {
    var line = [
      "event": TableSheet.cell(ofName: event), "key": TableSheet.cell(ofName: row.key),
      "action": TableSheet.Action.move.rawValue,
    ]
    switch row.value.content {
    case .string(let target): line["new key"] = TableSheet.cell(ofName: target)
    case .object:
      line["new key"] = row.value.text("to").map(TableSheet.cell(ofName:))
      line["type"] = row.value.text("type")
      let values = row.value.members("values").map { ($0.key, $0.value.eventValue) }
      if !values.isEmpty { line["values"] = EventValue.object(Dictionary(uniqueKeysWithValues: values)).canonicalText }
      line["default"] = row.value.member("default").map { TableSheet.cell(of: $0.value.eventValue) }
      line["allow"] = row.value.codes
    default: line["action"] = TableSheet.Action.drop.rawValue
    }
    return line
  }
}

extension JSONNode {
  func member(_ key: String) -> Member? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key.isExactly(key) }
  }

  /// The members of a nested object, without comments.
  func members(_ key: String) -> [Member] {
    guard case .object(let members)? = member(key)?.value.content else { return [] }
    return members.withoutComments
  }

  fileprivate func text(_ key: String) -> String? {
    if case .string(let text)? = member(key)?.value.content { text } else { nil }
  }

  /// The codes in `allow`.
  fileprivate var codes: String? {
    guard case .array(let codes)? = member("allow")?.value.eventValue else { return nil }
    return codes.compactMap { if case .string(let code) = $0 { code } else { nil } }.joined(separator: " ")
  }
}
