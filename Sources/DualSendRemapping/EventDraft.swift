import DualSendCore

/// One event of a table as it was read, before the rows of `*` are merged in and the paths are compared.
struct EventDraft {
  /// Something that is written in the table, with its place for diagnostics.
  struct Placed<Content> {
    let content: Content
    let offset: Int
    let path: EventPath
    /// What a note calls it: the source of a row, `add.schema` for a constant.
    let label: String
  }

  /// The name of the entry that holds for every event.
  static let wildcardName = "*"

  var newName: String?
  var rows: [Placed<RemappingRow>] = []
  var constants: [Placed<EventRule.Constant>] = []
  var unmapped: EventRule.Unmapped?
  var clashPolicy: EventRule.ClashPolicy?

  /// Whether a row or a constant writes to a key outside of ASCII.
  var writesBeyondASCII: Bool {
    rows.contains { $0.content.target?.isASCII == false } || constants.contains { !$0.content.target.isASCII }
  }

  /// Every place that rows and constants write to.
  var targets: [Placed<KeyPathPattern>] {
    rows.compactMap { row in row.content.target.map { row.holding($0) } }
      + constants.map { $0.holding($0.content.target) }
  }
}

extension EventDraft.Placed {
  /// Something else at the same place.
  func holding<Other>(_ content: Other) -> EventDraft.Placed<Other> {
    EventDraft.Placed<Other>(content: content, offset: offset, path: path, label: label)
  }
}
