import DualSendCore

/// A remapping table as a spreadsheet: one line an event, a row or a constant.
///
/// | column | |
/// |---|---|
/// | `event` | the old name; `*` for what holds for every event |
/// | `key` | the source of a row; empty in the event's own line and for a constant |
/// | `new event` | the new name; in any line of the event |
/// | `new key` | the target of a row or a constant |
/// | `action` | `drop` for a row that leaves its value out; otherwise `event`, `move` or `add`, or nothing |
/// | `type`, `values`, `default` | what the row does to a value; `values` is a JSON object |
/// | `value` | the constant |
/// | `unmapped`, `on clash` | of the event, in any of its lines |
/// | `allow` | codes of warnings, separated by spaces, of the row or else of the event |
///
/// A default or constant that is JSON is that value, anything else is a text: `1` is a number, `"1"` a text, `auto` too.
/// A row without a new key says `drop`, so that a cell that was left empty never drops a value.
enum TableSheet {
  static let columns = [
    "event", "key", "new event", "new key", "action", "type", "values", "default", "value", "unmapped", "on clash",
    "allow",
  ]

  enum Action: String, CaseIterable {
    case event, move, drop, add
  }

  /// A name as a cell holds it: in the quotes of JSON if white space at its ends would be lost.
  static func cell(ofName name: String) -> String {
    let ends = [name.unicodeScalars.first, name.unicodeScalars.last].compactMap { $0 }
    return name.hasPrefix("\"") || ends.contains(where: \.properties.isWhitespace)
      ? EventValue.string(name).canonicalText : name
  }

  /// A value as a cell holds it.
  static func cell(of value: EventValue) -> String {
    guard case .string(let text) = value, !text.isEmpty, text.first != "\"", text.first != "{", text.first != "[",
      text.unicodeScalars.first.map({ !$0.properties.isWhitespace }) == true,
      text.unicodeScalars.last.map({ !$0.properties.isWhitespace }) == true,
      (try? JSONReader().value(text.utf8)) == nil
    else { return value.canonicalText }
    return text
  }

  /// The value that a cell holds; `nil` for what looks like JSON and is none.
  static func value(of cell: String) -> EventValue? {
    if let value = try? JSONReader().value(cell.utf8) { return value }
    return ["\"", "{", "["].contains(cell.first) ? nil : .string(cell)
  }
}
