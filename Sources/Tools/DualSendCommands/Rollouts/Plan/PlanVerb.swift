import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendParity
import DualSendRollout
import DualSendRolloutAnalysis

/// `dualsend plan`: computes the effect of an edit of the rollout document.
struct PlanVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show which units a new rollout document affects, and how, before it is published.",
    discussion: """
      For each group of events, prints the share of units that gains (+), loses (-) or swaps (~) a sink, each with an \
      example. The shares are exact, not sampled. Each later step of a schedule is a change of its own, and so is each sink \
      that a document names.
      Each document is \(DocumentInput.forms).
      Exit status 1 if units are evicted from the new tracker or a sink of its side, or left without a sink, or if apps \
      would refuse the new document because of its revision, and no flag allows that; or if an event fails --parity.
      """.examples(
        "dualsend plan live.json rollout.json",
        "dualsend plan live.json rollout.json --parity report.json --max-failing 0.1%")
  )

  @Argument(help: ArgumentHelp("The document in force.", valueName: "old"))
  var before: DocumentInput
  @Argument(help: ArgumentHelp("The document to replace it.", valueName: "new"))
  var after: DocumentInput
  @Flag(help: "Allow that units lose the new tracker, or a sink of its side.")
  var allowEvictions = false
  @Flag(help: "Allow that units are left without a sink.")
  var allowNeither = false
  @Flag(help: "Allow a revision that is not higher, for apps that accept any.")
  var allowOlder = false
  @Option(
    help: ArgumentHelp(
      "Refuse to raise new, or a sink of its side, for events that fail parity in this report;"
        + " without --max-failing, 0.1% may fail.", valueName: "report"))
  var parity: String?
  @Flag(help: "Show the units that breakers on devices can return to the old logger with the new document.")
  var breaker = false
  @OptionGroup(title: "With --parity") var gate: GateOptions
  @OptionGroup var headers: HeaderOption
  @OptionGroup var moment: MomentOption
  @OptionGroup var output: FormatOption

  func validate() throws {
    try DocumentInput.checkStandardInput([before, after].count(where: \.isStandardInput))
    try headers.check(before, after)
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let oldBytes = try await before.bytes(headers.fields, on: terminal)
    let newBytes = try await after.bytes(headers.fields, on: terminal)
    let old = try RolloutDocument(reading: oldBytes, name: before.name)
    let new = try RolloutDocument(proving: newBytes, name: after.name)
    let revision = RevisionStep(from: old, oldBytes, to: new, newBytes)
    let steps = try RolloutPlan.steps(from: old, to: new, now: moment.milliseconds)
    let breakers: [BreakerReach]? = try breaker ? steps.map { try BreakerReach(of: new, at: $0.after.time) } : nil
    let account = PlanReport(
      before: before.name, after: after.name, steps: steps, saysTheSame: revision == .saysTheSame, breakers: breakers)
    if format == .json { terminal.result(account.json) } else { terminal.result(account.text) }

    var findings = new.warnings + account.objections(file: after.name, allowing: allowed).map(\.finding)
    if !allowOlder { findings += [revision.finding(from: old, to: new, file: after.name)].compactMap { $0 } }
    if let parity {
      let report = try ParityReport(try InputFile.bytes(parity), name: parity)
      let gate = AdvanceGate(report: report, gate: gate.gate(otherwise: .perMille), from: old, to: new)
      findings += gate.findings(steps, file: after.name, reportFile: parity)
    }
    terminal.report(findings, format: format)
    return findings.contains { $0.severity == .error } ? .findings : .clean
  }

  private var allowed: Set<PlanObjection.Kind> {
    Set([allowEvictions ? .evictions : nil, allowNeither ? .neither : nil].compactMap { $0 })
  }
}
