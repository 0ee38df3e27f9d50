import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendParity
import DualSendRollout
import DualSendRolloutAnalysis

/// `dualsend plan`: what an edit of the rollout document will do.
struct PlanVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Work out what a new rollout document changes, for whom, before it is live.",
    discussion: """
      For every group of events: the exact share of units that gains (+), loses (-) or swaps (~) a sink, each with a \
      unit that was found to do so. Nothing is sampled. Each later step of a schedule is a change of its own.

      Each document is \(DocumentInput.forms).

      Sinks that a document names are planned in the same way, each on its own.

      Exit status 1 if somebody is evicted from the new tracker or a sink of its side, or left without a sink, or if apps would refuse the new \
      document for its revision, and no flag allows that; or if --parity gives a reason not to go on.
      """
  )

  @Argument(help: ArgumentHelp("The document in force.", valueName: "old"))
  var before: DocumentInput
  @Argument(help: ArgumentHelp("The document that shall take its place.", valueName: "new"))
  var after: DocumentInput
  @Flag(help: "Let units lose the new tracker, or a sink of its side.")
  var allowEvictions = false
  @Flag(help: "Let units be left without a sink.")
  var allowNeither = false
  @Flag(help: "Let the revision fall or stay, for apps that are told to take any.")
  var allowOlder = false
  @Option(
    help: ArgumentHelp(
      "Refuse to raise new, or a sink of its side, for events whose parity in this report is not shown to be good enough;"
        + " without --max-mismatch 0.1% may fail.", valueName: "report"))
  var parity: String?
  @Flag(help: "Show whom breakers on devices can bring back to the old logger with the new document.")
  var breaker = false
  @OptionGroup(title: "With --parity") var gate: GateOptions
  @OptionGroup var moment: MomentOption
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func validate() throws {
    try DocumentInput.checkStandardInput([before, after].count(where: \.isStandardInput))
  }

  func run(on console: Console) async throws -> CommandStatus {
    let oldBytes = try await before.bytes(on: console)
    let newBytes = try await after.bytes(on: console)
    let old = try RolloutDocument(reading: oldBytes, name: before.name)
    let new = try RolloutDocument(reading: newBytes, name: after.name)
    let revision = RevisionStep(from: old, oldBytes, to: new, newBytes)
    // Without a schedule the time of the run would only make two runs print different things.
    let now = (old.changeTimes + new.changeTimes).isEmpty ? nil : moment.milliseconds
    let steps = try RolloutPlan.steps(from: old, to: new, now: now)
    let breakers: [BreakerReach]? = try breaker ? steps.map { try BreakerReach(of: new, at: $0.after.time) } : nil
    let account = PlanReport(
      before: before.name, after: after.name, steps: steps, saysTheSame: revision == .saysTheSame, breakers: breakers)
    if format == .json { console.result(account.json) } else { console.result(account.text) }

    var findings = new.warnings + account.objections(file: after.name, allowing: allowed).map(\.finding)
    if !allowOlder { findings += [revision.finding(from: old, to: new, file: after.name)].compactMap { $0 } }
    if let parity {
      let report = try ParityReport(try InputFile.bytes(parity), name: parity)
      let gate = AdvanceGate(report: report, gate: gate.gate(otherwise: .perMille), from: old, to: new)
      findings += gate.findings(steps, file: after.name, reportFile: parity)
    }
    console.report(findings, format: format)
    return findings.contains { $0.severity == .error } ? .findings : .clean
  }

  private var allowed: Set<PlanObjection.Kind> {
    Set([allowEvictions ? .evictions : nil, allowNeither ? .neither : nil].compactMap { $0 })
  }
}
