import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendDrafting
import DualSendRemapping

/// `dualsend table`: drafts remapping tables, checks them against events, and converts them to and from spreadsheets.
struct TableVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "table",
    abstract: "Draft a remapping table, find what it does not cover, and convert it to a spreadsheet and back.",
    subcommands: [DraftVerb.self, CoverageVerb.self, TableImportVerb.self, TableExportVerb.self])
}

/// `dualsend table import`: reads a remapping table from a spreadsheet.
struct TableImportVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Convert a spreadsheet in CSV (comma-separated, UTF-8) to a remapping table.",
    discussion: """
      Prints the table. Errors are reported with line and column, and then nothing is printed.
      Columns: `event`, `key`, `new event`, `new key`, `action` (event, move, drop, add), `type`, `values` (a JSON \
      object), `default`, `value` (of a constant), `unmapped`, `on clash`, `allow`. Only `event` is required. A key \
      without a new key needs the action `drop`. A cell that is JSON is that value; any other cell is a text.
      Cells that a spreadsheet would run as a formula (= + - @ at the start) are written with an apostrophe in front, \
      which the import removes.
      Exit status 1 if the table has warnings.
      """
  )

  @Argument(help: ArgumentHelp("The spreadsheet; - for standard input.", valueName: "file"))
  var file: DocumentInput
  @OptionGroup var output: FormatOption

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let text = try TableImport(try await file.bytes(on: terminal), name: file.name).text
    let warnings = try RemappingTable(text.utf8).warnings
    terminal.document(text)
    terminal.report(warnings)
    return warnings.isEmpty ? .clean : .findings
  }
}

/// `dualsend table export`: writes a remapping table as a spreadsheet.
struct TableExportVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Convert a remapping table to a spreadsheet.",
    discussion: """
      CSV can be imported again and gives the same table; comments and `$schema` are left out. Markdown cannot be \
      imported. With --format json, each line is an object with the columns that are not empty.
      """
  )

  /// The formats of a spreadsheet.
  enum Form: String, ExpressibleByArgument, CaseIterable {
    case csv, md, json
  }

  @Argument(help: ArgumentHelp("The remapping table; - for standard input.", valueName: "table"))
  var table: DocumentInput
  @Option(name: .customLong("format"), help: "The format of the spreadsheet.")
  var form: Form = .csv

  var format: OutputFormat { form == .json ? .json : .text }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let export = try TableExport(try await table.bytes(on: terminal), name: table.name)
    switch form {
    case .csv: terminal.data(export.csv)
    case .md: terminal.data(export.markdown)
    case .json: terminal.result(export.json)
    }
    return .clean
  }
}
