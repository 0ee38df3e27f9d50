import ArgumentParser
import DualSend
@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendRemapping

/// `dualsend coverage`: what of a remapping table real events use, and what of the events it leaves out.
struct CoverageVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Run real events through a remapping table: which rows never fire, which events and keys have no row.",
    discussion: """
      Prints names and key paths, never values. A key without a row is no fault by itself: the table's `unmapped` \
      says what becomes of it.

      Exit status 1 if a row never fired, an event of the table was never seen, or lines were malformed; with \
      --strict also if an event or a key has no row.
      """
  )

  @Argument(help: ArgumentHelp("The remapping table.", valueName: "table"))
  var table: String
  @Option(help: ArgumentHelp("The legacy events.", valueName: "file"))
  var events: String
  @Flag(help: "Let events and keys without a row fail too.")
  var strict = false
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func run(on console: Console) async throws -> CommandStatus {
    let bytes = try InputFile.bytes(table)
    let remapping = try RemappingTable(bytes, name: table)
    console.report(remapping.warnings, format: format)
    var coverage = TableCoverage(of: remapping, places: TablePlaces(bytes))
    var lines = try LegacyLines(events)
    try lines.forEach("coverage", on: console) { coverage.add($0.event.name, payload: $0.event.parameters) }
    if format == .json { console.result(coverage.json) } else { console.result(coverage.text) }
    lines.reportMalformed(on: console, format: format)

    let isUnused = !coverage.idleRows.isEmpty || !coverage.unseenEvents.isEmpty
    let isOpen = !coverage.eventsWithoutEntry.isEmpty || !coverage.keysWithoutRow.isEmpty
    return isUnused || (strict && isOpen) || lines.malformedCount > 0 ? .findings : .clean
  }
}
