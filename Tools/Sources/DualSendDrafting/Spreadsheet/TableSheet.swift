import DualSendCore

/// The spreadsheet form of a remapping table: one line for each event, row and constant.
///
/// | column | |
/// |---|---|
/// | `event` | the old name; `*` for all events |
/// | `key` | the source of a row; empty in the event's own line and for a constant |
/// | `new event` | the new name; in any line of the event |
/// | `new key` | the target of a row or a constant |
/// | `action` | `drop` for a row that leaves its value out; otherwise `event`, `move` or `add`, or nothing |
/// | `type`, `values`, `default` | what the row does to a value; `values` is a JSON object |
/// | `value` | the constant |
/// | `unmapped`, `on clash` | of the event, in any of its lines |
/// | `allow` | codes of warnings, separated by spaces, of the row or else of the event |
///
/// A default or constant is read as JSON if possible, otherwise as text: `1` is a number; `"1"` and `auto` are texts. A
/// row without a new key must say `drop`, so that an empty cell never drops a value.
enum TableSheet {
  static let columns = [
    "event", "key", "new event", "new key", "action", "type", "values", "default", "value", "unmapped", "on clash",
    "allow",
  ]

  enum Action: String, CaseIterable {
    case event, move, drop, add
  }

  /// The cell of a name: a JSON string if it has surrounding white space.
  static func cell(ofName name: String) -> String {
    let ends = [name.unicodeScalars.first, name.unicodeScalars.last].compactMap { $0 }
    return name.hasPrefix("\"") || ends.contains(where: \.properties.isWhitespace)
      ? EventValue.string(name).canonicalText : name
  }

  static func cell(of value: EventValue) -> String {
    guard case .string(let text) = value, !text.isEmpty, text.first != "\"", text.first != "{", text.first != "[",
      text.unicodeScalars.first.map({ !$0.properties.isWhitespace }) == true,
      text.unicodeScalars.last.map({ !$0.properties.isWhitespace }) == true,
      (try? JSONReader().value(text.utf8)) == nil
    else { return value.canonicalText }
    return text
  }

  /// The value of a cell; `nil` if it looks like JSON but is not valid.
  static func value(of cell: String) -> EventValue? {
    if let value = try? JSONReader().value(cell.utf8) { return value }
    return ["\"", "{", "["].contains(cell.first) ? nil : .string(cell)
  }
}
