import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// `dualsend rollback`: the document that takes apps back to an older one.
struct RollbackVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Write an older rollout document under the next revision, so that apps go back to it.",
    discussion: """
      Apps refuse a document with a lower revision than theirs, so publishing the old file again does nothing. This \
      writes its text with the revision that follows the one in force and changes nothing else in it. Each document is \
      \(DocumentInput.forms).

      The result is checked like `dualsend validate` does, and the plan from the document in force to it is shown: with \
      --output on standard output, else beside the document on standard error. Units that lose the new tracker are what \
      a rollback is for; units that lose every sink, or another salt, need a flag.

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
    help: ArgumentHelp("Replace this file, as a whole or not at all, instead of printing.", valueName: "file"))
  var output: String?
  @Flag(help: "Let units be left without a sink.")
  var allowNeither = false
  @Flag(help: "Let another salt give every unit another bucket.")
  var allowReshuffle = false
  @OptionGroup var moment: MomentOption
  @OptionGroup var formatting: FormatOption

  var format: OutputFormat { formatting.format }

  init() {}

  func validate() throws {
    try DocumentInput.checkStandardInput([current, to].count(where: \.isStandardInput))
  }

  func run(on console: Console) async throws -> CommandStatus {
    let current = try RolloutRollback.Source(try await current.bytes(on: console), name: current.name)
    let older = try RolloutRollback.Source(try await to.bytes(on: console), name: to.name)
    let rollback = try RolloutRollback(of: current, to: older, name: output ?? to.name)
    let new = rollback.result.document
    let now = (current.document.changeTimes + new.changeTimes).isEmpty ? nil : moment.milliseconds
    let plan = PlanReport(
      before: current.name, after: rollback.result.name,
      steps: try RolloutPlan.steps(from: current.document, to: new, now: now))
    show(plan, on: console)
    let findings = try new.audit() + rollback.objections(plan, allowing: allowed).map(\.finding)
    console.report(findings, format: format)
    guard !findings.contains(where: { $0.severity == .error }) else { return .findings }
    if let output {
      try InputFile.replace(output, with: rollback.result.bytes)
    } else {
      console.data(String(decoding: rollback.result.bytes, as: UTF8.self))
    }
    return .clean
  }

  private func show(_ plan: PlanReport, on console: Console) {
    if output == nil {
      console.aside(plan.text, json: plan.json)
    } else if format == .json {
      console.result(plan.json)
    } else {
      console.result(plan.text)
    }
  }

  private var allowed: Set<PlanObjection.Kind> {
    Set([allowNeither ? .neither : nil, allowReshuffle ? .reshuffle : nil].compactMap { $0 })
  }
}
