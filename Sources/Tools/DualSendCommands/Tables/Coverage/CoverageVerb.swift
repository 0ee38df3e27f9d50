import ArgumentParser
import DualSend
import DualSendCommandLine
package import DualSendCore
import DualSendParity
package import DualSendRemapping
import DualSendSource
package import DualSendTables

/// `dualsend table coverage`: finds unused rows of a remapping table, and events and keys without a row.
struct CoverageVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Find the rows of a remapping table that no event uses, and the events and keys without a row.",
    discussion: """
      Prints names and key paths, never values. A key without a row is not a fault: the table's `unmapped` decides what \
      happens to it. The id and the decision that DualSend adds are no keys. If more events or keys than --limit have no row, those with a common prefix share a line, most \
      frequent first. JSON lists each of them.
      Exit status 1 if a row was never used, an event of the table was never seen, or lines were malformed; with \
      --strict also if an event or a key has no row.
      With --inventory, the table is compared with call sites instead. Each event without an entry, each key without a row, \
      and each key with different types at two call sites is reported once, with the first call site and the count of the \
      others; --limit applies to each kind of finding. JSON and --format github (annotations) name each call site. Rows \
      that no call site can send are findings too, and with --events, names that only the code or only the stream has, \
      unless an open call site may send them. Exit status 1 for any finding except a key that is kept without a row; with \
      --strict for that as well.
      """.examples(
        "dualsend table coverage remapping.json --events old.jsonl",
        "dualsend table coverage remapping.json --inventory calls.jsonl --strict")
  )

  @Argument(help: ArgumentHelp("The remapping table; may be left out with --inventory.", valueName: "table"))
  var table: String?
  @Option(help: ArgumentHelp("The legacy events; may be left out with --inventory.", valueName: "file"))
  var events: String?
  @OptionGroup var oldFormat: OldFormatOption
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
        inventory: inventory, table: table, events: events, oldFormat: oldFormat, isStrict: strict, limit: limit,
        format: format)
      return try run.run(on: terminal)
    }
    guard let table, let events else { return .usage }
    let bytes = try InputFile.bytes(table)
    let remapping = try RemappingTable(reading: bytes, name: table)
    terminal.report(remapping.warnings, format: format)
    // Each thread reads the whole file and counts its share of the lines. A pipe can be read only once.
    let shares = InputFile.isRegularFile(events) ? threads : 1
    let (coverage, malformed) = try StreamCoverage.of(
      events, oldFormat, table: remapping, places: TablePlaces(bytes), threads: shares, on: terminal)
    if format == .json { terminal.result(coverage.json) } else { terminal.result(coverage.text(limit: limit)) }
    malformed.report(on: terminal, format: format)

    let isUnused = !coverage.idleRows.isEmpty || !coverage.unseenEvents.isEmpty
    let isOpen = !coverage.eventsWithoutEntry.isEmpty || !coverage.keysWithoutRow.isEmpty
    return isUnused || (strict && isOpen) || malformed.count > 0 ? .findings : .clean
  }
}

// MARK: - Stream coverage

/// The coverage of a table by a stream of events.
enum StreamCoverage {
  /// The coverage, and the malformed lines. Does not depend on the number of threads.
  static func of(
    _ path: String, _ format: OldFormatOption, table: RemappingTable, places: TablePlaces, threads: Int,
    on terminal: Terminal
  ) throws -> (TableCoverage, MalformedLines) {
    let parts = try onThreads(threads) { share in
      try part(share, of: path, format, table: table, places: places, on: terminal)
    }
    return parts.dropFirst().reduce(into: parts[0]) { whole, part in
      whole.0 = whole.0.merged(with: part.0)
      whole.1.merge(part.1)
    }
  }

  private static func part(
    _ share: WorkShare, of path: String, _ format: OldFormatOption, table: RemappingTable, places: TablePlaces,
    on terminal: Terminal
  ) throws -> (TableCoverage, MalformedLines) {
    var count = CoverageCount(of: table)
    var shapes = KnownShapes()
    var lines = try LegacyLines(path, format, share: share)
    try lines.forEach(
      share.number == 0 ? "coverage" : nil, on: terminal, unless: { shapes.counts($0) }
    ) { line in
      let event = line.logged
      if count.add(event.name, payload: event.parameters, line: line.number) { shapes.learn(event) }
    }
    for known in shapes.known.values where known.repeats > 0 {
      count.add(known.event.name, payload: known.event.parameters, times: known.repeats)
    }
    return (count.coverage(places), lines.malformed)
  }
}

// MARK: - Coverage count

/// Counts the rows of a remapping table that events use.
package struct CoverageCount {
  private let table: RemappingTable
  private var usages: [ExactText: RowUsage] = [:]

  package init(of table: RemappingTable) {
    self.table = table
  }

  /// Counts one event, or several of one shape.
  ///
  /// - Parameter line: the event's line, which determines the first example.
  /// - Returns: whether the result depends only on the shape. If it depends on values, count each event by itself.
  @discardableResult
  package mutating func add(_ name: String, payload: [String: EventValue], times: Int = 1, line: Int = 0) -> Bool {
    let absent = usages[ExactText(name), default: RowUsage(table.rule(for: name).rows)]
      .add(payload, times: times, line: line)
    if !absent.isEmpty { addDefaults(absent, of: ExactText(name), payload) }
    return absent.isEmpty
  }

  /// Counts the defaults that were written. A default yields to another value at its target, so the event is remapped
  /// unless the target is known to be free.
  private mutating func addDefaults(_ absent: [Int], of name: ExactText, _ payload: [String: EventValue]) {
    guard let rows = usages[name]?.rows else { return }
    var written: Set<KeyPathPattern>?
    for row in absent {
      if !rows[row].writesToFreePlace(of: payload), written == nil {
        written = Set(
          table.trace(name.text, payload: payload).trace.outputs.compactMap { output in
            if case .defaultValue(let source) = output.origin { source } else { nil }
          })
      }
    }
    for row in absent where written?.contains(rows[row].source) ?? true { usages[name]?.wroteDefault(row) }
  }

  /// - Parameter places: the positions of the table's rows.
  package func coverage(_ places: TablePlaces) -> TableCoverage {
    let shared = table.ruleForOthers.rows
    func row(_ row: RemappingRow, of event: ExactText) -> TableCoverage.Row {
      TableCoverage.Row(event: shared.contains(row) ? TableCoverage.wildcard : event, source: row.source)
    }
    var rows: [TableCoverage.Row: Int] = [:]
    for sharedRow in shared { rows[row(sharedRow, of: TableCoverage.wildcard)] = 0 }
    for (event, rule) in table.rules { for ownRow in rule.rows { rows[row(ownRow, of: ExactText(event))] = 0 } }
    var keys: [TableCoverage.OpenKey: TableCoverage.Finding] = [:]
    for (event, usage) in usages {
      for (index, count) in usage.counts.enumerated() { rows[row(usage.rows[index], of: event), default: 0] += count }
      for place in usage.openPlaces {
        keys[TableCoverage.OpenKey(event: event, steps: place.steps)] = TableCoverage.Finding(
          count: place.count, example: place.example, line: place.line)
      }
    }
    return TableCoverage(
      places: places, rows: rows,
      events: Dictionary(
        uniqueKeysWithValues: table.rules.keys.map { (ExactText($0), usages[ExactText($0)]?.payloads ?? 0) }),
      eventsWithoutEntry: usages.filter { !table.hasEntry(for: $0.key.text) }.mapValues(\.payloads),
      keysWithoutRow: keys)
  }
}

// MARK: - Inventory coverage run

/// Runs `coverage --inventory`.
struct InventoryCoverageRun {
  /// The limit of different names. More than that are probably data.
  private static let maximumNames = 100_000

  let inventory: String
  let table: String?
  let events: String?
  let oldFormat: OldFormatOption
  let isStrict: Bool
  let limit: Int
  let format: OutputFormat

  /// - Returns: findings if there is any, or a line of the stream was malformed.
  func run(on terminal: Terminal) throws -> CommandStatus {
    let bytes = try table.map { try InputFile.bytes($0) }
    let remapping = try bytes.map { try RemappingTable(reading: $0, name: table) }
    if let remapping { terminal.report(remapping.warnings, format: format) }
    let inventory = try Inventory(InputFile.bytes(inventory), name: inventory)
    // Of an empty one every row of the table would be unused.
    if inventory.callSites.isEmpty {
      throw CommandError(
        "\(self.inventory) lists no call site", help: "did `dualsend inventory` read the right sources?")
    }
    var lines = try events.map { try LegacyLines($0, oldFormat, input: terminal.input) }
    let coverage = InventoryCoverage(
      inventory: inventory, table: remapping, seen: try Self.names(in: &lines, on: terminal))
    let findings = coverage.findings(
      tableName: table, TablePlaces(bytes ?? []), eventsName: events, isStrict: isStrict, isGrouped: format == .text)
    if format == .json {
      terminal.result(coverage.json(findings))
    } else {
      terminal.result(coverage.text(limit: limit))
      report(findings, on: terminal)
    }
    lines?.reportMalformed(on: terminal, format: format)
    // A key that is kept without a row is a warning; --strict makes it an error.
    let isFaulty = findings.contains { $0.severity == .error || $0.code != .keyWithoutRow }
    return !isFaulty && lines?.isClean ?? true ? .clean : .findings
  }

  /// Reports findings up to the limit of each kind, and counts the others.
  private func report(_ findings: [DocumentDiagnostic], on terminal: Terminal) {
    guard limit > 0 else { return terminal.report(findings, format: format) }
    var counts: [DocumentDiagnostic.Code: Int] = [:]
    let shown = findings.filter { finding in
      counts[finding.code, default: 0] += 1
      return counts[finding.code, default: 0] <= limit
    }
    terminal.report(shown, format: format)
    for (code, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where count > limit {
      terminal.note("… and \((count - limit).counted("more finding")) \(code.rawValue); see --limit")
    }
  }

  private static func names(in lines: inout LegacyLines?, on terminal: Terminal) throws -> [ExactText: Int]? {
    guard lines != nil else { return nil }
    var seen: [ExactText: Int] = [:]
    try lines?.forEach("coverage", on: terminal) { line in
      let name = ExactText(line.event.name)
      if seen[name] != nil || seen.count < maximumNames { seen[name, default: 0] += 1 }
    }
    return seen
  }
}
