import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendDrafting
import DualSendRemapping

/// `dualsend table import`: a remapping table of a spreadsheet.
struct TableImportVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make a remapping table of a spreadsheet in CSV (comma-separated, UTF-8).",
    discussion: """
      The table is printed. What is wrong is named with its line and column, and nothing is printed then.

      Exit status 1 if the table has warnings.
      """
  )

  @Argument(help: ArgumentHelp("The spreadsheet; - for standard input.", valueName: "file"))
  var file: DocumentInput
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func run(on console: Console) async throws -> CommandStatus {
    let text = try TableImport(try await file.bytes(on: console), name: file.name).text
    let warnings = try RemappingTable(text.utf8).warnings
    console.document(text)
    console.report(warnings)
    return warnings.isEmpty ? .clean : .findings
  }
}
