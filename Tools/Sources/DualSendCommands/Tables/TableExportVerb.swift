import ArgumentParser
import DualSendCommandLine
import DualSendDrafting

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
