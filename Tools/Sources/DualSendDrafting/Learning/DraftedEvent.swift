package import DualSendCore
package import DualSendRemapping

/// What the evidence says about one event: what a table would say, and what is left to a person.
package struct DraftedEvent: Sendable {
  /// A row, with what speaks for it.
  package struct Row: Sendable {
    package let source: KeyPathPattern
    /// Where the value goes; `nil` drops it.
    package let target: KeyPathPattern?
    package let rule: ValueRule?
    /// What a comment says of it.
    package let reason: String
  }

  /// A value that every new event has.
  package struct Constant: Sendable {
    package let target: KeyPathPattern
    package let value: EventValue
    package let reason: String
  }

  package let name: String
  /// The new name; `nil` where the old one stays, or none is sure.
  package var newName: String?
  package var nameReason: String?
  package var rows: [Row] = []
  package var constants: [Constant] = []
  /// What is not sure, with the candidates: names of keys and counts of pairs, never values.
  package var open: [String] = []
  /// Whether the new name itself is among what is not sure.
  package var isNameOpen = false

  package init(name: String) {
    self.name = name
  }

  /// How many claims the draft makes.
  package var claimCount: Int { rows.count + constants.count + (newName == nil ? 0 : 1) }

  /// The claims and what is open as lines of a comment.
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
  /// The row as a table has it.
  package var json: EventValue {
    guard let target else { return .null }
    guard let rule else { return .string(target.description) }
    var members: [String: EventValue] = ["to": .string(target.description)]
    if let type = rule.type { members["type"] = .string(type.rawValue) }
    if let table = rule.table { members["values"] = .object(table) }
    if let fallback = rule.fallback { members["default"] = fallback }
    return .object(members)
  }

  /// What a message says that the row does.
  package var deed: String { target.map { "`\(source)` to `\($0)`" } ?? "drops `\(source)`" }
}

extension KeyPathPattern {
  /// Whether one of the two places is the other, or contains it.
  package func overlaps(_ other: KeyPathPattern) -> Bool {
    steps.starts(with: other.steps) || other.steps.starts(with: steps)
  }

  /// Whether the other place is this one, or inside it.
  func contains(_ other: KeyPathPattern) -> Bool {
    other.steps.starts(with: steps)
  }
}
