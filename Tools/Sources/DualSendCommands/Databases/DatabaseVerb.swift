import ArgumentParser
import DualSendCommandLine
import DualSendCore
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
      With --watch, the inspection repeats until SIGINT or SIGTERM ends it, or until a condition of --fail-if holds.
      """
  )

  @OptionGroup var database: DatabaseArgument
  @Option(help: ArgumentHelp("Repeat the inspection at this interval.", valueName: "seconds"))
  var watch: Double?
  @Option(
    help: ArgumentHelp(
      "Conditions to fail on, separated by commas: \(AlarmCondition.syntax).", valueName: "conditions"),
    transform: { try AlarmConditions($0) })
  var failIf: AlarmConditions?
  @Option(
    help: ArgumentHelp("Also show the record of the device's breaker.", valueName: "record"))
  var breaker: String?
  @OptionGroup var output: FormatOption

  func validate() throws {
    guard watch.map({ $0 >= 0.1 && $0 <= 86_400 }) ?? true else {
      throw ValidationError("--watch is 0.1 to 86400 seconds")
    }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    while true {
      let (status, isAlarmed) = try inspect(on: terminal)
      guard let watch, !isAlarmed else { return status }
      if await Self.isInterrupted(within: .seconds(watch)) { return .clean }
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
    let breaker = try breaker.map { try BreakerReport($0) }
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
