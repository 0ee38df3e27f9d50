package import DualSendCore
package import DualSendRemapping
import DualSendTables

/// A draft of a remapping table, from names only.
package struct TableDraft: Sendable {
  /// The events, sorted by old name.
  package private(set) var events: [DraftedEvent]

  package init(_ events: [DraftedEvent]) {
    self.events = events.sorted { String.byteOrder($0.name, $1.name) }
  }

  /// Matches names with the same words. A key with one word more or less is a guess, which its row says. Everything
  /// else is an open question.
  ///
  /// A row converts the value if both sides have one type and these differ.
  package init(old: NamedEvents, new: NamedEvents) {
    let match = NameMatch(old: Set(old.events.keys), new: Set(new.events.keys))
    let open = Dictionary(match.open.map { ($0.old, $0.candidates) }, uniquingKeysWith: { first, _ in first })
    self.init(
      old.events.map { name, keys in
        var event = DraftedEvent(name: name.text)
        if let newName = match.pairs[name] {
          if newName != name { (event.newName, event.nameReason) = (newName.text, "the same words") }
          event.match(keys, with: new.events[newName] ?? [:])
        } else {
          event.open.append("the new name: " + NameMatch.text(open[name] ?? []))
        }
        return event
      })
  }

  /// The table as JSON. With comments, each entry has the reasons for its rows and its open questions under `//`.
  package func json(commented: Bool = true) -> EventValue {
    var entries: [String: EventValue] = [:]
    for event in events where entries.index(forKey: event.name) == nil && event.canBeNamed {
      entries[event.name] = event.json(commented: commented)
    }
    return ["formatVersion": 1, "events": .object(entries)]
  }

  /// The table as indented JSON.
  package func text() -> String {
    IndentedJSON.text(json(), lineLength: 100, firstKeys: Self.firstKeys)
  }

  /// The order of keys in a table.
  package static let firstKeys = [
    "//", "formatVersion", "events", "name", "to", "type", "values", "default", "parameters", "add", "unmapped",
  ]

  /// The events that cannot have an entry, because their name is a comment's key, empty, or ends in `*`.
  package var unnamable: [String] { events.filter { !$0.canBeNamed }.map(\.name) }
}

/// The draft for one event: its entry in the table, and the open questions.
package struct DraftedEvent: Sendable {
  /// A row with its reason.
  package struct Row: Sendable {
    package let source: KeyPathPattern
    package let target: KeyPathPattern
    /// The type to which the value is converted; `nil` for none.
    package let type: ValueType?
    /// The text for a comment.
    package let reason: String
  }

  package let name: String
  /// The new name; `nil` if the old one stays or it is uncertain.
  package var newName: String?
  package var nameReason: String?
  package var rows: [Row] = []
  /// Open questions with candidates: names of keys, never values.
  package var open: [String] = []

  package init(name: String) {
    self.name = name
  }

  /// The rows and open questions as lines of a comment.
  package var notes: [String] {
    let renamed = newName.flatMap { _ in nameReason.map { "new name: " + $0 } }
    return [renamed].compactMap { $0 } + rows.map { "\($0.deed): \($0.reason)" }.sorted(by: String.byteOrder)
      + open.sorted(by: String.byteOrder).map { "open: " + $0 }
  }

  /// Whether a table can have an entry with this name.
  var canBeNamed: Bool { !name.isEmpty && !name.hasSuffix("*") && name != "//" && name != "_comment" }

  package func json(commented: Bool) -> EventValue {
    var members: [String: EventValue] = [:]
    if commented, !notes.isEmpty { members["//"] = .array(notes.map { .string($0) }) }
    if let newName { members["name"] = .string(newName) }
    if !rows.isEmpty {
      // Of two canonically equivalent keys, keeps the first.
      let rows = rows.map { ($0.source.description, $0.json) }
      members["parameters"] = .object(Dictionary(rows, uniquingKeysWith: { first, _ in first }))
    }
    return .object(members)
  }

  // MARK: - By names

  fileprivate typealias Keys = [ExactText: Set<ValueType>]

  fileprivate mutating func match(_ old: Keys, with new: Keys) {
    let match = NameMatch(old: Set(old.keys), new: Set(new.keys))
    let guesses = match.guesses.map { (source: $0.key, target: $0.value, reason: "a guess: one word more or less") }
    let sure = match.pairs.map { (source: $0.key, target: $0.value, reason: "the same words") }
    for (source, target, reason) in (sure + guesses).sorted(by: { $0.source < $1.source }) {
      guard let from = try? KeyPathPattern(source.text), let to = try? KeyPathPattern(target.text) else { continue }
      let type = Self.conversion(from: old[source] ?? [], to: new[target] ?? [])
      if from == to, type == nil { continue }
      guard from.arrays == to.arrays else {
        open.append("`\(from)` may be `\(to)`: they are in different arrays")
        continue
      }
      guard !rows.contains(where: { $0.source.overlaps(from) || $0.target.overlaps(to) }) else {
        open.append("`\(from)` may be `\(to)`: another row overlaps with it")
        continue
      }
      rows.append(Row(source: from, target: to, type: type, reason: reason))
    }
    for question in match.open where !question.old.text.isEmpty && match.guesses[question.old] == nil {
      open.append("`\(question.old)` " + NameMatch.text(question.candidates))
    }
  }

  /// The new type, if each side has exactly one type and they differ.
  private static func conversion(from old: Set<ValueType>, to new: Set<ValueType>) -> ValueType? {
    guard old.count == 1, new.count == 1, old != new else { return nil }
    return new.first
  }
}

extension DraftedEvent.Row {
  /// The row in the table's JSON.
  package var json: EventValue {
    guard let type else { return .string(target.description) }
    return ["to": .string(target.description), "type": .string(type.rawValue)]
  }

  /// The effect of the row, for messages.
  package var deed: String { "`\(source)` to `\(target)`" }
}

extension KeyPathPattern {
  /// Whether the paths are equal or one contains the other.
  func overlaps(_ other: KeyPathPattern) -> Bool { steps.starts(with: other.steps) || other.steps.starts(with: steps) }

  fileprivate var arrays: Int { steps.count { $0 == .eachElement } }
}
