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
      If --output is the document in force, this publishes, and the publication is recorded, see `dualsend history`. A \
      signed document needs --signing-key: apps would refuse it without a signature.
      Exit status 1, and nothing is written, if a flag is missing; 2 if a document is refused, or is not older.
      """.examples(
        "dualsend rollback rollout.json --to earlier.json > next.json",
        "dualsend rollback rollout.json --to-entry 3f2a91 -o rollout.json")
  )

  @Argument(help: ArgumentHelp("The document in force.", valueName: "current"))
  var current: DocumentInput
  @Option(help: ArgumentHelp("The document to go back to.", valueName: "older"))
  var to: DocumentInput?
  @Option(help: ArgumentHelp("The entry of the record to go back to, instead of --to.", valueName: "entry"))
  var toEntry: String?
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Replace this file atomically instead of printing.", valueName: "file"))
  var output: String?
  @Flag(help: "Allow that units are left without a sink.")
  var allowNeither = false
  @Flag(help: "Allow another salt, which gives every unit another bucket.")
  var allowReshuffle = false
  @OptionGroup var signing: SigningOption
  @Option(
    help: ArgumentHelp(
      "A revision that apps may have, though the document and its record do not; the next one is higher.",
      valueName: "number"))
  var revision: Int64?
  @OptionGroup var message: MessageOption
  @OptionGroup var options: RecordOptions
  @OptionGroup var moment: MomentOption
  @OptionGroup var formatting: FormatOption

  var format: OutputFormat { formatting.format }

  func validate() throws {
    try DocumentInput.checkStandardInput([current, to].compactMap(\.self).count(where: \.isStandardInput))
    if (to == nil) == (toEntry == nil) { throw ValidationError("give --to or --to-entry") }
    if signing.signingKey != nil, output == nil { throw ValidationError("--signing-key goes with --output") }
    if message.message != nil || options.user != nil, !publishes {
      throw ValidationError("--message and --user go with --output, if it is the document in force")
    }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let current = try RolloutText(live: try await current.bytes(on: terminal), name: current.name)
    let (older, entry) = try await older(on: terminal)
    let rollback = try RolloutRollback(
      of: current, to: older, name: output ?? older.name,
      revision: try options.nextRevision(of: self.current, after: current.document.revision, known: revision))
    let new = rollback.result.document
    let now = (current.document.changeTimes + new.changeTimes).isEmpty ? nil : moment.milliseconds
    let plan = PlanReport(
      before: current.name, after: rollback.result.name,
      steps: try RolloutPlan.steps(from: current.document, to: new, now: now))
    show(plan, on: terminal)
    let findings =
      try new.audit() + rollback.objections(plan, allowing: allowed).map(\.finding)
      + passedSchedule(of: new, name: older.name)
    terminal.report(findings, format: format)
    guard !findings.contains(where: { $0.severity == .error }) else { return .findings }
    if let output {
      let publication = Publication(
        by: .rollback, time: moment.milliseconds, user: options.user, message: message.message, before: current.bytes,
        after: rollback.result.bytes, plan: plan.text, backTo: entry)
      try await publish(publication, over: current.bytes, to: output, on: terminal)
    } else {
      terminal.data(String(decoding: rollback.result.bytes, as: UTF8.self))
      terminal.note("nothing is published: --output FILE replaces the live document")
    }
    return .clean
  }

  /// A warning if a schedule of the older document has moved its shares since it was live.
  private func passedSchedule(of document: RolloutDocument, name: String) -> [DocumentDiagnostic] {
    let times = document.changeTimes, passed = times.count { $0 <= moment.milliseconds }
    guard passed > 0 else { return [] }
    return [
      DocumentDiagnostic(
        .warning, .passedSchedule,
        "\(passed.grouped) of \(times.count.counted("time")) in its schedules passed, so its shares are not those of then",
        file: name,
        help: "read the plan, which is that of now; `dualsend kill` stops the new side for certain")
    ]
  }

  /// Whether the result replaces the document in force.
  private var publishes: Bool {
    func file(_ path: String) -> String { URL(fileURLWithPath: InputFile.resolvingLinks(path)).standardized.path }
    return output.map(file) == current.path.map(file) && output != nil
  }

  private func older(on terminal: Terminal) async throws -> (RolloutText, entry: String?) {
    if let to { return (try RolloutText(try await to.bytes(on: terminal), name: to.name), nil) }
    guard let toEntry, let record = options.record(of: current) else {
      throw CommandError("a document at an address has no record of its own", help: "name one with --history")
    }
    let entry = try record.entry(toEntry)
    return (try RolloutText(Array(entry.publication.text.utf8), name: "entry \(entry.id)"), entry.id)
  }

  private func publish(
    _ publication: Publication, over before: [UInt8], to output: String, on terminal: Terminal
  ) async throws {
    let bytes = Array(publication.text.utf8)
    let publisher = RolloutPublisher(
      target: nil, headers: [], document: DocumentInput(argument: output), on: terminal)
    let warnings = try await publisher.publish(
      bytes, signature: try signing.file?.signature(of: bytes), over: publishes ? before : nil,
      recording: publishes ? publication : nil, in: publishes ? options.record(of: current) : nil)
    terminal.report(warnings, format: format)
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

extension DocumentDiagnostic.Code {
  /// A rollback to a document whose schedule has passed.
  static let passedSchedule = DocumentDiagnostic.Code(rawValue: "DS0418")
}
