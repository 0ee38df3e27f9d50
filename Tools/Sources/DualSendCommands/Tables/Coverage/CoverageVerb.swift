import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRemapping

/// `dualsend coverage`: what of a remapping table real events use, and what of the events it leaves out.
struct CoverageVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Run real events through a remapping table: which rows never fire, which events and keys have no row.",
    discussion: """
      Prints names and key paths, never values. A key without a row is no fault by itself: the table's `unmapped` \
      says what becomes of it. Where more events or keys have no row than --limit, those that start alike share a \
      line, and what is seen most comes first. JSON lists all of them, one by one.

      Exit status 1 if a row never fired, an event of the table was never seen, or lines were malformed; with \
      --strict also if an event or a key has no row.

      With --inventory, call sites are held against the table instead: each event without an entry, each key without a \
      row, and each key that two call sites give different types, is named once, with the first place in the code and how \
      many others there are; --limit holds for each kind of finding. JSON and --format github (annotations) name each \
      call site. Rows that no call site can send, and with --events what only the code or only the stream has, are \
      findings too, unless an open call site may send them. Exit status 1 for any finding but a key that is kept without \
      a row; with --strict for that as well.
      """
  )

  @Argument(help: ArgumentHelp("The remapping table; may be left out with --inventory.", valueName: "table"))
  var table: String?
  @Option(help: ArgumentHelp("The legacy events; may be left out with --inventory.", valueName: "file"))
  var events: String?
  @Option(help: ArgumentHelp("The call sites, as `dualsend inventory` lists them.", valueName: "file"))
  var inventory: String?
  @Flag(help: "Let events and keys without a row fail too.")
  var strict = false
  @Option(help: ArgumentHelp("The most lines of each list of names; 0 for all of them.", valueName: "lines"))
  var limit = 100
  @Option(help: "How many threads count.")
  var threads = 1
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func validate() throws {
    if !(1...64).contains(threads) { throw ValidationError("--threads is a number from 1 to 64") }
    if limit < 0 { throw ValidationError("--limit is a number of lines, or 0") }
    if inventory == nil, table == nil { throw ValidationError("name the remapping table") }
    if inventory == nil, events == nil { throw ValidationError("name the events with --events, or an --inventory") }
  }

  func run(on console: Console) async throws -> CommandStatus {
    if let inventory {
      let run = InventoryCoverageRun(
        inventory: inventory, table: table, events: events, isStrict: strict, limit: limit, format: format)
      return try run.run(on: console)
    }
    guard let table, let events else { return .usage }
    let bytes = try InputFile.bytes(table)
    let remapping = try RemappingTable(bytes, name: table)
    console.report(remapping.warnings, format: format)
    // Each thread reads the whole of it and counts its share of the lines, which a pipe does not allow.
    let shares = InputFile.isRegularFile(events) ? threads : 1
    let (coverage, malformed) = try StreamCoverage.of(
      events, table: remapping, places: TablePlaces(bytes), threads: shares, on: console)
    if format == .json { console.result(coverage.json) } else { console.result(coverage.text(limit: limit)) }
    malformed.report(on: console, format: format)

    let isUnused = !coverage.idleRows.isEmpty || !coverage.unseenEvents.isEmpty
    let isOpen = !coverage.eventsWithoutEntry.isEmpty || !coverage.keysWithoutRow.isEmpty
    return isUnused || (strict && isOpen) || malformed.count > 0 ? .findings : .clean
  }
}
