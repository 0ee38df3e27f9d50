import DualSendCore

/// An event's entry as read, before the rows of `*` are merged and the paths are compared.
package struct EventDraft {
  /// A part of the table with its position for diagnostics.
  struct Placed<Content> {
    let content: Content
    let offset: Int
    let path: EventPath
    /// The term for notes: the source of a row, `add.schema` for a constant.
    let label: String
  }

  /// The name of the entry for every event.
  package static let wildcardName = "*"

  var newName: String?
  var rows: [Placed<RemappingRow>] = []
  var constants: [Placed<EventRule.Constant>] = []
  var unmapped: EventRule.Unmapped?
  var clashPolicy: EventRule.ClashPolicy?

  /// Whether a row or a constant writes to a key that is not ASCII.
  var writesBeyondASCII: Bool {
    rows.contains { $0.content.target?.isASCII == false } || constants.contains { !$0.content.target.isASCII }
  }

  /// The targets of all rows, then those of all constants.
  var targets: [Placed<KeyPathPattern>] {
    rows.compactMap { row in row.content.target.map { row.holding($0) } }
      + constants.map { $0.holding($0.content.target) }
  }
}

extension EventDraft.Placed {
  /// Other content with the same position.
  func holding<Other>(_ content: Other) -> EventDraft.Placed<Other> {
    EventDraft.Placed<Other>(content: content, offset: offset, path: path, label: label)
  }
}
