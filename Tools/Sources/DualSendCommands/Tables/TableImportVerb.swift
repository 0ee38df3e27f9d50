import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendDrafting
import DualSendRemapping

/// `dualsend table import`: reads a remapping table from a spreadsheet.
struct TableImportVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Convert a spreadsheet in CSV (comma-separated, UTF-8) to a remapping table.",
    discussion: """
      Prints the table. Errors are reported with line and column, and then nothing is printed.

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
