@_spi(Tools) import DualSendCore

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

  struct Constant {
    let target: KeyPathPattern
    let value: EventValue
  }

  /// The name of the entry that holds for every event.
  static let wildcardName = "*"

  var newName: String?
  var rows: [Placed<RemappingRow>] = []
  var constants: [Placed<Constant>] = []
  var unmapped: EventRule.Unmapped?
  var clashPolicy: EventRule.ClashPolicy?
}
