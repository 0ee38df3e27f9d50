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
    abstract: "Convert a spreadsheet (.xlsx, .ods, or CSV in UTF-8) to a remapping table.",
    discussion: """
      Prints the table. Errors are reported with line and column, and then nothing is printed.
      Columns: `event`, `key`, `new event`, `new key`, `action` (event, move, or, drop, add), `type`, `values` (a JSON \
      object), `default`, `value` (of a constant), `unmapped`, `on clash`, `allow`. Only `event` is required. Other \
      headings are recognised by their words, such as `Old parameter`, or named with --column; further columns are not \
      read. One line says which heading was taken for what. An empty event cell means the event above.
      Several keys with one new key become one row with several sources, of which the first line wins; `or` as the \
      action says that this is meant. A key without a new key needs the action `drop`, or keeps its name in a sheet \
      without actions. A cell that is JSON is that value; any other cell is a text.
      A cell that is no name is an error with its address: an error or a formula of the spreadsheet, a date, a word such as \
      `n/a` or `same` (--same, --none), several names. In double quotes, any text is a name. Titles, sums and a repeated \
      header are left out, each with a line. In the column `review`, `ok` says that a line is right.
      Cells that a spreadsheet would run as a formula (= + - @ at the start) are written with an apostrophe in front, \
      which the import removes.
      Exit status 1 if the table has warnings.
      """.examples(
        "dualsend table import plan.csv > remapping.json",
        "dualsend table import plan.csv --column key=Property > remapping.json")
  )

  @Argument(help: ArgumentHelp("The spreadsheet; - for standard input.", valueName: "file"))
  var file: DocumentInput
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "The heading of a column, such as `key=Property`; an empty heading leaves the column out. May be repeated.",
      valueName: "column=heading"),
    transform: { try SheetColumn($0) })
  var column: [SheetColumn] = []
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("A word that stands for the old name, such as `same`. May be repeated.", valueName: "word"))
  var same: [String] = []
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A word in place of a new key that says that the value is left out, such as `-`. May be repeated.",
      valueName: "word"))
  var none: [String] = []
  @OptionGroup var output: FormatOption

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let columns = Dictionary(column.map { ($0.name, $0.heading) }, uniquingKeysWith: { $1 })
    let imported = try TableImport(
      try await file.bytes(on: terminal), name: file.name, columns: columns, words: SheetWords(same: same, none: none))
    terminal.note("note: " + imported.reading)
    for line in imported.leftOut { terminal.note("note: left out: " + line) }
    let text = imported.text
    let warnings = try imported.warnings + RemappingTable(reading: text.utf8).warnings
    terminal.document(text)
    terminal.report(warnings)
    return warnings.isEmpty ? .clean : .findings
  }
}

/// A column of a spreadsheet, and its heading.
struct SheetColumn {
  let name, heading: String

  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, TableImport.columns.contains(parts[0].lowercased()) else {
      throw ValidationError(
        "`\(text)` is not a column and its heading, such as `key=Property`; columns: "
          + TableImport.columns.joined(separator: ", "))
    }
    (name, heading) = (parts[0].lowercased(), parts[1])
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
      """.examples(
        "dualsend table export remapping.json > table.csv",
        "dualsend table export remapping.json --format md")
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
