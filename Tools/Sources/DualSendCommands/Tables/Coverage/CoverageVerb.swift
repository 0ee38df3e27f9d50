import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRemapping

/// `dualsend table coverage`: finds unused rows of a remapping table, and events and keys without a row.
struct CoverageVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Find the rows of a remapping table that no event uses, and the events and keys without a row.",
    discussion: """
      Prints names and key paths, never values. A key without a row is not a fault: the table's `unmapped` decides what \
      happens to it. If more events or keys than --limit have no row, those with a common prefix share a line, most \
      frequent first. JSON lists each of them.
      Exit status 1 if a row was never used, an event of the table was never seen, or lines were malformed; with \
      --strict also if an event or a key has no row.
      With --inventory, the table is compared with call sites instead. Each event without an entry, each key without a row, \
      and each key with different types at two call sites is reported once, with the first call site and the count of the \
      others; --limit applies to each kind of finding. JSON and --format github (annotations) name each call site. Rows \
      that no call site can send are findings too, and with --events, names that only the code or only the stream has, \
      unless an open call site may send them. Exit status 1 for any finding except a key that is kept without a row; with \
      --strict for that as well.
      """
  )

  @Argument(help: ArgumentHelp("The remapping table; may be left out with --inventory.", valueName: "table"))
  var table: String?
  @Option(help: ArgumentHelp("The legacy events; may be left out with --inventory.", valueName: "file"))
  var events: String?
  @Option(help: ArgumentHelp("The call sites, as `dualsend inventory` lists them.", valueName: "file"))
  var inventory: String?
  @Flag(help: "Fail on events and keys without a row too.")
  var strict = false
  @Option(help: ArgumentHelp("The largest number of lines in each list of names; 0 for no limit.", valueName: "lines"))
  var limit = 100
  @Option(help: "The number of threads.")
  var threads = 1
  @OptionGroup var output: FormatOption

  func validate() throws {
    if !(1...64).contains(threads) { throw ValidationError("--threads is a number from 1 to 64") }
    if limit < 0 { throw ValidationError("--limit is a number of lines, or 0") }
    if inventory == nil, table == nil { throw ValidationError("name the remapping table") }
    if inventory == nil, events == nil { throw ValidationError("name the events with --events, or an --inventory") }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    if let inventory {
      let run = InventoryCoverageRun(
        inventory: inventory, table: table, events: events, isStrict: strict, limit: limit, format: format)
      return try run.run(on: terminal)
    }
    guard let table, let events else { return .usage }
    let bytes = try InputFile.bytes(table)
    let remapping = try RemappingTable(bytes, name: table)
    terminal.report(remapping.warnings, format: format)
    // Each thread reads the whole file and counts its share of the lines. A pipe can be read only once.
    let shares = InputFile.isRegularFile(events) ? threads : 1
    let (coverage, malformed) = try StreamCoverage.of(
      events, table: remapping, places: TablePlaces(bytes), threads: shares, on: terminal)
    if format == .json { terminal.result(coverage.json) } else { terminal.result(coverage.text(limit: limit)) }
    malformed.report(on: terminal, format: format)

    let isUnused = !coverage.idleRows.isEmpty || !coverage.unseenEvents.isEmpty
    let isOpen = !coverage.eventsWithoutEntry.isEmpty || !coverage.keysWithoutRow.isEmpty
    return isUnused || (strict && isOpen) || malformed.count > 0 ? .findings : .clean
  }
}
