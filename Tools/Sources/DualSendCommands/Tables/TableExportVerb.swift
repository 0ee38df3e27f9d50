import ArgumentParser
import DualSendCommandLine
import DualSendDrafting

/// `dualsend table export`: a spreadsheet of a remapping table.
struct TableExportVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Make a spreadsheet of a remapping table.",
    discussion: """
      CSV, imported again, gives the same table; comments and `$schema` are left out. Markdown is for reading alone. With \
      --format json each line is an object with the columns that are not empty.
      """
  )

  /// The forms of a spreadsheet.
  enum Form: String, ExpressibleByArgument, CaseIterable {
    case csv, md, json
  }

  @Argument(help: ArgumentHelp("The remapping table; - for standard input.", valueName: "table"))
  var table: DocumentInput
  @Option(name: .customLong("format"), help: "The form of the spreadsheet.")
  var form: Form = .csv

  var format: OutputFormat { form == .json ? .json : .text }

  init() {}

  func run(on console: Console) async throws -> CommandStatus {
    let export = try TableExport(try await table.bytes(on: console), name: table.name)
    switch form {
    case .csv: console.data(export.csv)
    case .md: console.data(export.markdown)
    case .json: console.result(export.json)
    }
    return .clean
  }
}
