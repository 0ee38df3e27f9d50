import ArgumentParser

/// `dualsend table`: converts remapping tables to and from spreadsheets.
struct TableVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "table",
    abstract: "Convert a remapping table to a spreadsheet, and back.",
    discussion: """
      Columns: `event`, `key`, `new event`, `new key`, `action` (event, move, drop, add), `type`, `values` (a JSON \
      object), `default`, `value` (of a constant), `unmapped`, `on clash`, `allow`. Only `event` is required. A key \
      without a new key needs the action `drop`. A cell that is JSON is that value; any other cell is a text.
      Cells that a spreadsheet would run as a formula (= + - @ at the start) are written with an apostrophe in front, \
      which the import removes.
      """,
    subcommands: [TableImportVerb.self, TableExportVerb.self])
}
