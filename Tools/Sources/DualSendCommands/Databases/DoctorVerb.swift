import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendTracking
import Foundation

/// `dualsend doctor`: what is in a tracker's databases, and what to do about it.
struct DoctorVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Look into a tracker's databases: what waits, whether the ledger balances, whether the files are sound.",
    discussion: """
      Changes nothing, neither the databases nor the files beside them; they may be in use, or on a disk that is mounted \
      read-only. Exit status 1 if something needs to be done, or a condition of --fail-if holds.

      With --watch it looks again and again until it is ended by SIGINT or SIGTERM, or until a condition of --fail-if \
      holds.
      """
  )

  @OptionGroup var database: DatabaseArgument
  @Option(help: ArgumentHelp("Look again after so long.", valueName: "seconds"))
  var watch: Double?
  @Option(
    help: ArgumentHelp(
      "Conditions to fail on, with commas between them: \(AlarmCondition.syntax).", valueName: "conditions"),
    transform: { try AlarmConditions($0) })
  var failIf: AlarmConditions?
  @Option(
    help: ArgumentHelp("Tell too what the record of the device's breaker says.", valueName: "record"))
  var breaker: String?
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func validate() throws {
    guard watch.map({ $0 >= 0.1 && $0 <= 86_400 }) ?? true else {
      throw ValidationError("--watch is 0.1 to 86400 seconds")
    }
  }

  func run(on console: Console) async throws -> CommandStatus {
    while true {
      let (status, isAlarmed) = try look(on: console)
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

  private func look(on console: Console) throws -> (status: CommandStatus, isAlarmed: Bool) {
    let report = try DoctorReport(try database.databases())
    let now = TimeSource.system.wallMilliseconds()
    let breaker = try breaker.map { try BreakerReport($0) }
    if format == .json {
      console.result(breaker.map { report.json.adding("breaker", $0.json) } ?? report.json)
    } else {
      console.result(([report.text(now: now)] + (breaker.map { [$0.text] } ?? [])).joined(separator: "\n"))
    }
    let alarms = (failIf?.all ?? []).compactMap { $0.finding(report, database.path, now: now) }
    let findings = report.findings + [breaker?.finding].compactMap { $0 } + alarms
    console.report(findings, format: format)
    return (findings.isEmpty ? .clean : .findings, !alarms.isEmpty)
  }
}
