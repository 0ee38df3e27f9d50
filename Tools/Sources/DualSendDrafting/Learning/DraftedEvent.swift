package import DualSendCore
package import DualSendRemapping

/// The draft for one event: its entry in the table, and the open questions.
package struct DraftedEvent: Sendable {
  /// A row with its evidence.
  package struct Row: Sendable {
    package let source: KeyPathPattern
    /// The target; `nil` to drop the value.
    package let target: KeyPathPattern?
    package let rule: ValueRule?
    /// The text for a comment.
    package let reason: String
  }

  /// A constant of every new event.
  package struct Constant: Sendable {
    package let target: KeyPathPattern
    package let value: EventValue
    package let reason: String
  }

  package let name: String
  /// The new name; `nil` if the old one stays or it is uncertain.
  package var newName: String?
  package var nameReason: String?
  package var rows: [Row] = []
  package var constants: [Constant] = []
  /// Open questions with candidates: names of keys and counts of pairs, never values.
  package var open: [String] = []
  /// Whether the new name is an open question.
  package var isNameOpen = false

  package init(name: String) {
    self.name = name
  }

  /// The number of claims in the draft.
  package var claimCount: Int { rows.count + constants.count + (newName == nil ? 0 : 1) }

  /// The claims and open questions as lines of a comment.
  package var notes: [String] {
    let renamed = newName.flatMap { _ in nameReason.map { "new name: " + $0 } }
    let rows = rows.map { row in
      "`\(row.source)` \(row.target.map { "to `\($0)`" } ?? "dropped"): \(row.reason)"
    }
    let constants = constants.map { "`\($0.target)` added: \($0.reason)" }
    return [renamed].compactMap { $0 } + (rows + constants).sorted(by: String.byteOrder)
      + open.sorted(by: String.byteOrder).map { "open: " + $0 }
  }
}

extension DraftedEvent.Row {
  /// The row in the table's JSON.
  package var json: EventValue {
    guard let target else { return .null }
    guard let rule else { return .string(target.description) }
    var members: [String: EventValue] = ["to": .string(target.description)]
    if let type = rule.type { members["type"] = .string(type.rawValue) }
    if let table = rule.table { members["values"] = .object(table) }
    if let fallback = rule.fallback { members["default"] = fallback }
    return .object(members)
  }

  /// The effect of the row, for messages.
  package var deed: String { target.map { "`\(source)` to `\($0)`" } ?? "drops `\(source)`" }
}

extension KeyPathPattern {
  /// Whether the paths are equal or one contains the other.
  package func overlaps(_ other: KeyPathPattern) -> Bool {
    steps.starts(with: other.steps) || other.steps.starts(with: steps)
  }

  /// Whether the other path is equal to this one or inside it.
  func contains(_ other: KeyPathPattern) -> Bool {
    other.steps.starts(with: steps)
  }
}
