import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// `dualsend rollback`: writes a document that takes apps back to an older one.
struct RollbackVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Write an older rollout document with the next revision, so that apps return to it.",
    discussion: """
      Apps refuse a document with a lower revision than theirs, so publishing the old file again has no effect. This \
      command writes its text with the revision after the one in force, and changes nothing else. Each document is \
      \(DocumentInput.forms).
      The result is checked as by `dualsend validate`. The plan from the document in force to the result is printed on \
      standard output with --output, else on standard error. A rollback may take the new tracker away from units; leaving \
      units without a sink, or another salt, needs a flag.
      Exit status 1, and nothing is written, if a flag is missing; 2 if a document is refused, or is not older. A signed \
      document must be signed again.
      """
  )

  @Argument(help: ArgumentHelp("The document in force.", valueName: "current"))
  var current: DocumentInput
  @Option(help: ArgumentHelp("The document to go back to.", valueName: "older"))
  var to: DocumentInput
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Replace this file atomically instead of printing.", valueName: "file"))
  var output: String?
  @Flag(help: "Allow that units are left without a sink.")
  var allowNeither = false
  @Flag(help: "Allow another salt, which gives every unit another bucket.")
  var allowReshuffle = false
  @OptionGroup var moment: MomentOption
  @OptionGroup var formatting: FormatOption

  var format: OutputFormat { formatting.format }

  func validate() throws {
    try DocumentInput.checkStandardInput([current, to].count(where: \.isStandardInput))
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let current = try RolloutRollback.Source(try await current.bytes(on: terminal), name: current.name)
    let older = try RolloutRollback.Source(try await to.bytes(on: terminal), name: to.name)
    let rollback = try RolloutRollback(of: current, to: older, name: output ?? to.name)
    let new = rollback.result.document
    let now = (current.document.changeTimes + new.changeTimes).isEmpty ? nil : moment.milliseconds
    let plan = PlanReport(
      before: current.name, after: rollback.result.name,
      steps: try RolloutPlan.steps(from: current.document, to: new, now: now))
    show(plan, on: terminal)
    let findings = try new.audit() + rollback.objections(plan, allowing: allowed).map(\.finding)
    terminal.report(findings, format: format)
    guard !findings.contains(where: { $0.severity == .error }) else { return .findings }
    if let output {
      try InputFile.replace(output, with: rollback.result.bytes)
    } else {
      terminal.data(String(decoding: rollback.result.bytes, as: UTF8.self))
    }
    return .clean
  }

  private func show(_ plan: PlanReport, on terminal: Terminal) {
    if output == nil {
      terminal.aside(plan.text, json: plan.json)
    } else if format == .json {
      terminal.result(plan.json)
    } else {
      terminal.result(plan.text)
    }
  }

  private var allowed: Set<PlanObjection.Kind> {
    Set([allowNeither ? .neither : nil, allowReshuffle ? .reshuffle : nil].compactMap { $0 })
  }
}
