import DualSendCore

/// A remapping table's text, for inserting drafted rows.
struct TableText {
  private var text: DocumentText

  init(_ text: String) throws(ConsoleFailure) {
    self.text = try DocumentText(text)
  }

  /// The text with another row, first in its event's entry. Creates the entry if there is none.
  mutating func insertRow(_ key: String, to target: String, in event: String) throws(ConsoleFailure) -> String {
    let row = "\(Self.quoted(key)): \(Self.quoted(target))"
    guard let events = text.root.value(of: "events"), case .object(let entries) = events.content else {
      throw ConsoleFailure(422, "the text has no `events`")
    }
    if let entry = entries.first(where: { $0.key.isExactly(event) })?.value {
      if let rows = entry.value(of: "parameters") {
        try insert(row, into: rows)
      } else {
        try insert("\"parameters\": { \(row) }", into: entry)
      }
    } else {
      try insert("\(Self.quoted(event)): { \"parameters\": { \(row) } }", into: events)
    }
    return text.text
  }

  /// Inserts a member at the start of an object, with the white space of the first one.
  private mutating func insert(_ member: String, into object: JSONNode) throws(ConsoleFailure) {
    guard case .object(let members) = object.content else {
      throw ConsoleFailure(422, "the text is not a remapping table")
    }
    guard let first = members.first else {
      return text.insert(" \(member) ", at: object.offset + 1)
    }
    let between = text.bytes[(object.offset + 1)..<first.keyOffset]
    text.insert(String(decoding: between, as: UTF8.self) + member + ",", at: object.offset + 1)
  }

  private static func quoted(_ text: String) -> String { EventValue.string(text).canonicalText }
}
