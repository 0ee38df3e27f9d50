import ArgumentParser

/// `dualsend table`: remapping tables as spreadsheets.
struct TableVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "table",
    abstract: "Make a spreadsheet of a remapping table, and a remapping table of a spreadsheet.",
    discussion: """
      Columns: `event`, `key`, `new event`, `new key`, `action` (event, move, drop, add), `type`, `values` (a JSON \
      object), `default`, `value` (of a constant), `unmapped`, `on clash`, `allow`. Only `event` must be there. A key \
      without a new key says `drop` as its action. A cell that is JSON is that value, any other a text.

      Cells that a spreadsheet would run as a formula (= + - @ at the start) are written with an apostrophe in front, \
      which reading takes off.
      """,
    subcommands: [TableImportVerb.self, TableExportVerb.self])
}
