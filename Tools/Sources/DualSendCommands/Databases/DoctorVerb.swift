import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendTracking
import Foundation

/// `dualsend doctor`: inspects a tracker's databases, and says how to fix problems.
struct DoctorVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
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
