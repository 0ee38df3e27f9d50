import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendDatabase
import DualSendDelivery
import DualSendRollout
import DualSendTracking
import Foundation

/// `dualsend db`: reads a tracker's databases.
struct DatabaseVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "db",
    abstract: "Inspect a tracker's databases, handle their dead letters, and recover events from damaged ones.",
    subcommands: [DatabaseCheckVerb.self, DeadLettersVerb.self, SalvageVerb.self])
}

/// `dualsend db check`: inspects a tracker's databases, and says how to fix problems.
struct DatabaseCheckVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Inspect a tracker's databases: the waiting events, the balance of the ledger, damage to the files.",
    discussion: """
      Changes neither the databases nor the files beside them; they may be in use or mounted read-only. Exit status 1 if \
      something needs attention, or a condition of --fail-if holds.
      With --interval, the inspection repeats until SIGINT or SIGTERM ends it, or until a condition of --fail-if holds.
      """.examples(
        "dualsend db check events.sqlite",
        "dualsend db check events.sqlite --interval 60 \\\n      --fail-if 'pending>1000,age>1h'")
  )

  @OptionGroup var database: DatabaseArgument
  @Option(help: ArgumentHelp("Repeat the inspection; the time between two.", valueName: "seconds"))
  var interval: Double?
  @Option(
    help: ArgumentHelp(
      "Conditions to fail on, separated by commas: \(AlarmCondition.syntax).", valueName: "conditions"),
    transform: { try AlarmConditions($0) })
  var failIf: AlarmConditions?
  @Option(
    help: ArgumentHelp("Also show the record of the device's breaker.", valueName: "record"))
  var breakerRecord: String?
  @OptionGroup var output: FormatOption

  func validate() throws {
    guard interval.map({ $0 >= 0.1 && $0 <= 86_400 }) ?? true else {
      throw ValidationError("--interval is 0.1 to 86400 seconds")
    }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    while true {
      let (status, isAlarmed) = try inspect(on: terminal)
      guard let interval, !isAlarmed else { return status }
      if await Self.isInterrupted(within: .seconds(interval)) { return .clean }
    }
  }

  private static func isInterrupted(within wait: Duration) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await Interruption.wait()
        return true
      }
      group.addTask {
        try? await TimeSource.system.sleep(wait)
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? true
    }
  }

  private func inspect(on terminal: Terminal) throws -> (status: CommandStatus, isAlarmed: Bool) {
    let report = try DoctorReport(try database.databases())
    let now = TimeSource.system.wallMilliseconds()
    let breaker = try breakerRecord.map { try BreakerReport($0) }
    if format == .json {
      terminal.result(breaker.map { report.json.adding("breaker", $0.json) } ?? report.json)
    } else {
      terminal.result(([report.text(now: now)] + (breaker.map { [$0.text] } ?? [])).joined(separator: "\n"))
    }
    let alarms = (failIf?.all ?? []).compactMap { $0.finding(report, database.path, now: now) }
    let findings = report.findings + [breaker?.finding].compactMap { $0 } + alarms
    terminal.report(findings, format: format)
    return (findings.isEmpty ? .clean : .findings, !alarms.isEmpty)
  }
}

/// The argument that names a tracker's database.
struct DatabaseArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The tracker's database. Includes the databases of other trackers beside it (`NAME-2.sqlite`).",
      valueName: "database"))
  var path: String

  /// The database and those beside it.
  ///
  /// - Throws: ``CommandError`` if none exists: opening it would create one.
  func databases() throws -> [NamedDatabase] { try NamedDatabase.all(at: path) }
}

/// A database file, and its path in the form that the command line uses.
package struct NamedDatabase: Sendable, Hashable {
  let file: URL
  package let path: String

  /// The database at a path, and those of other trackers beside it.
  ///
  /// - Throws: ``CommandError`` if there is none.
  package static func all(at path: String) throws -> [NamedDatabase] {
    let databases = StoreFormat.databases(at: URL(fileURLWithPath: path)).map { NamedDatabase($0, beside: path) }
    guard !databases.isEmpty else { throw CommandError("there is no file \(path)", help: "check the path") }
    return databases
  }

  init(_ file: URL, beside path: String) {
    self.file = file
    let folder = (path as NSString).deletingLastPathComponent
    self.path =
      folder.isEmpty ? file.lastPathComponent : (folder as NSString).appendingPathComponent(file.lastPathComponent)
  }
}

// MARK: - Breaker report

/// A breaker's record, as `dualsend db check` shows it.
struct BreakerReport {
  private let record: BreakerRecord
  private let path: String

  /// Reads a record.
  ///
  /// - Throws: ``CommandError`` if the file cannot be read, or is not a breaker's record.
  init(_ path: String) throws {
    guard let record = BreakerRecord(reading: try InputFile.exactBytes(path)) else {
      throw CommandError(
        "\(path) is not a breaker's record, or it is damaged",
        help: "name the file that holds `configuration.storage(\"breaker\")`")
    }
    (self.record, self.path) = (record, path)
  }

  var text: String {
    var table = TextTable([.words("breaker"), .words(path)])
    table.addRow(["state", record.opening == nil ? "closed" : "open: the new side stays off"])
    if let opening = record.opening { table.addRow(["cause", opening.description]) }
    table.addRow(["app version", record.appVersion])
    table.addRow(["revision", record.revision.map(String.init) ?? "none"])
    table.addRow(["early ends in a row", record.earlyEnds.grouped])
    return table.text
  }

  var json: EventValue {
    [
      "isOpen": .bool(record.opening != nil),
      "opening": record.opening.map {
        ["cause": .string($0.cause.rawValue), "detail": .string($0.detail), "openedAt": .int($0.time)]
      } ?? .null,
      "appVersion": .string(record.appVersion), "revision": record.revision.map { .int($0) } ?? .null,
      "earlyEnds": .int(Int64(record.earlyEnds)),
    ]
  }

  var finding: DocumentDiagnostic? {
    record.opening.map { opening in
      DocumentDiagnostic(
        .warning, .breakerOpen, "the breaker keeps the new side off: \(opening)", file: path,
        help: "it closes with another app version, or when another revision of the rollout is in force")
    }
  }
}

extension DocumentDiagnostic.Code {
  /// A device's breaker keeps the new side off.
  static let breakerOpen = DocumentDiagnostic.Code(rawValue: "DS0609")
}

extension EventValue {
  /// Adds a member to an object. Another value stays unchanged.
  func adding(_ key: String, _ value: EventValue) -> EventValue {
    guard case .object(var members) = self else { return self }
    members[key] = value
    return .object(members)
  }
}

// MARK: - Salvage verb

/// `dualsend db salvage`: recovers the waiting events of a damaged database.
struct SalvageVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "salvage",
    abstract: "Recover the waiting events of a damaged database.",
    discussion: """
      Works on a copy, so it changes nothing; the temporary folder needs as much free space as the database has. Also \
      recovers events from the write-ahead log (WAL) of a truncated or missing database. A damaged event is left out.
      The output file is created with the first event. Exit status 1 if something could not be read.
      """.examples("dualsend db salvage events.sqlite -o events.jsonl")
  )

  @OptionGroup var database: DatabaseArgument
  @Option(
    name: .output,
    help: ArgumentHelp("Append the events to this file as JSON lines, ready to be posted.", valueName: "file"))
  var out: String
  @OptionGroup var output: FormatOption

  func run(on terminal: Terminal) async throws -> CommandStatus {
    var file: JSONLinesFile?
    var events = 0
    var findings: [DocumentDiagnostic] = []
    for database in try database.databases() {
      do {
        let salvage = try StoreSalvage(of: database.file) { event in
          var lines = try file ?? OutputFile.opened(out)
          // A second reference would copy the buffer.
          file = nil
          try lines.append(event.body)
          file = lines
        }
        events += salvage.events
        findings += Self.findings(salvage, database.path)
        if format != .json { terminal.result("\(salvage.events.counted("event")) read from \(database.path)") }
      } catch let error as TrackingStoreError {
        try file?.close()
        throw CommandError(error, database: database.path)
      }
    }
    try file?.close()
    if format == .json { terminal.result(["events": .int(Int64(events))]) }
    terminal.report(findings, format: format)
    return findings.isEmpty ? .clean : .findings
  }

  private static func findings(_ salvage: StoreSalvage, _ path: String) -> [DocumentDiagnostic] {
    var findings = salvage.faults.map { fault in
      DocumentDiagnostic(
        .error, .damagedDatabase, String(describing: fault), file: path,
        notes: [
          salvage.isScanned
            ? "the events were found page by page; some may have been delivered already: compare their ids"
            : "events in the damaged part could not be read"
        ])
    }
    if salvage.damagedEvents > 0 {
      findings.append(
        DocumentDiagnostic(
          .error, .damagedEvents, "\(salvage.damagedEvents.grouped) waiting events are damaged", file: path,
          notes: ["they were left out"]))
    }
    return findings
  }
}
