import DualSendCommandLine
package import DualSendCore
import DualSendRemapping

/// The spreadsheet form of a remapping table: one line for each event, row and constant.
///
/// | column | |
/// |---|---|
/// | `event` | the old name; `*` for all events |
/// | `key` | the source of a row; empty in the event's own line and for a constant |
/// | `new event` | the new name; in any line of the event |
/// | `new key` | the target of a row or a constant |
/// | `action` | `drop` for a row that leaves its value out, `or` for a further source of the new key of a line above; otherwise `event`, `move` or `add`, or nothing |
/// | `type`, `values`, `default` | what the row does to a value; `values` is a JSON object |
/// | `value` | the constant |
/// | `unmapped`, `on clash` | of the event, in any of its lines |
/// | `allow` | codes of warnings, separated by spaces, of the row or else of the event |
///
/// A default or constant is read as JSON if possible, otherwise as text: `1` is a number; `"1"` and `auto` are texts. A number
/// or boolean is written with a `'` before it, and a name or text that a spreadsheet would change as a JSON string. A
/// row without a new key must say `drop`, so that an empty cell never drops a value.
enum TableSheet {
  static let columns = [
    "event", "key", "new event", "new key", "action", "type", "values", "default", "value", "unmapped", "on clash",
    "allow",
  ]

  /// The column of a review file that says whether a person has looked at a line.
  static let reviewColumn = "review"

  /// The heading of the column, which says what to write.
  static let reviewHeading = "review: ok, if the line is right"

  /// What the column says. Any other text says nothing: the line is a proposal.
  enum Review: String {
    /// Needs no review.
    case sure
    /// A proposal.
    case check
    /// No proposal was found.
    case open
    /// A person has looked at the line.
    case ok, yes, done, approved, reviewed

    static let approvals: [Review] = [.ok, .yes, .done, .approved, .reviewed]
    var isDone: Bool { Self.approvals.contains(self) }
  }

  enum Action: String, CaseIterable {
    case event, move, or, drop, add
  }

  /// The cell of a name: a JSON string if it has surrounding white space.
  static func cell(ofName name: String) -> String {
    let ends = [name.unicodeScalars.first, name.unicodeScalars.last].compactMap { $0 }
    return name.hasPrefix("\"") || ends.contains(where: \.properties.isWhitespace)
      || SheetCell.isChanged(bySpreadsheet: name) || SheetCell.fault(ofName: name, isNew: true) != nil
      ? EventValue.string(name).canonicalText : name
  }

  static func cell(of value: EventValue) -> String {
    guard case .string(let text) = value, !text.isEmpty, text.first != "\"", text.first != "{", text.first != "[",
      text.unicodeScalars.first.map({ !$0.properties.isWhitespace }) == true,
      text.unicodeScalars.last.map({ !$0.properties.isWhitespace }) == true,
      (try? JSONReader().value(text.utf8)) == nil, !SheetCell.isChanged(bySpreadsheet: text)
    else {
      let text = value.canonicalText
      // A spreadsheet would save `true` as `TRUE`, `1.50` as `1.5` or `1,5`, and a long number rounded.
      return text.first.map { "\"{[-n".contains($0) } ?? true ? text : "'" + text
    }
    return text
  }

  /// The value of a cell; `nil` if it looks like JSON but is not valid. A mark before it, with which a spreadsheet leaves it as
  /// it is, is taken off.
  static func value(of cell: String) -> EventValue? {
    if cell.hasPrefix("'"), let value = try? JSONReader().value(cell.dropFirst().utf8) { return value }
    if let value = try? JSONReader().value(cell.utf8) { return value }
    return ["\"", "{", "["].contains(cell.first) ? nil : .string(cell)
  }
}

// MARK: - Export

/// A remapping table exported as lines of a spreadsheet, in the order of the document, without comments.
package struct TableExport: Sendable {
  private let lines: [[String]]

  /// - Throws: the findings about the table.
  package init(_ bytes: [UInt8], name: String? = nil) throws(DocumentError) {
    _ = try RemappingTable(reading: bytes, name: name)
    let document = try DocumentReader(bytes, name: name).document
    lines = document.root.members("events").flatMap { Self.lines(of: $0) }
  }

  /// Comma-separated values with a header; see `CSVText` for formulas.
  package var csv: String {
    ([TableSheet.columns] + lines).map(CSVLine.text).joined()
  }

  /// The lines as objects, without empty cells.
  package var json: EventValue {
    .array(
      lines.map { line in
        let cells = zip(TableSheet.columns, line).filter { !$0.1.isEmpty }.map { ($0.0, EventValue.string($0.1)) }
        return .object(Dictionary(uniqueKeysWithValues: cells))
      })
  }

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
    let rows = event.value.members("parameters").flatMap { row -> [[String: String]] in
      let own = line(of: row, event.key)
      guard case .array(let others)? = row.value.member("or")?.value.eventValue else { return [own] }
      return [own]
        + others.map { other in
          var line = own.filter { ["event", "new key"].contains($0.key) }
          line["action"] = TableSheet.Action.or.rawValue
          if case .string(let key) = other { line["key"] = TableSheet.cell(ofName: key) }
          return line
        }
    }
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
