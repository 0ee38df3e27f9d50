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
      If --output is the document in force, a file or an address that takes PUT, this publishes, see `dualsend publish`. A \
      signed document needs --signing-key: apps would refuse it without a signature. It asks once; --yes does not ask.
      Exit status 1, and nothing is written, if a flag is missing or the answer is no; 2 if a document is refused or is not older, or if it is not \
      known whether it was published.
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
    help: ArgumentHelp(
      "Replace this file atomically instead of printing; or publish to the address in force.", valueName: "file"))
  var output: DocumentInput?
  @Flag(help: "Allow that units are left without a sink.")
  var allowNeither = false
  @Flag(help: "Allow another salt, which gives every unit another bucket.")
  var allowReshuffle = false
  @Flag(help: "Allow that a kill is taken back.")
  var allowUndo = false
  @Flag(help: "Publish without a question.")
  var yes = false
  @OptionGroup var signing: SigningOption
  @OptionGroup var request: RequestOptions
  @OptionGroup var message: MessageOption
  @OptionGroup var options: RecordOptions
  @OptionGroup var moment: MomentOption
  @OptionGroup var formatting: FormatOption

  var format: OutputFormat { formatting.format }

  func validate() throws {
    try DocumentInput.checkStandardInput([current, to].compactMap(\.self).count(where: \.isStandardInput))
    if (to == nil) == (toEntry == nil) { throw ValidationError("give --to or --to-entry") }
    if output?.address != nil, output != current {
      throw ValidationError("an address after --output is the document in force")
    }
    if signing.signingKey != nil, output == nil { throw ValidationError("--signing-key goes with --output") }
    if message.message != nil || options.user != nil, !publishes {
      throw ValidationError("--message and --user go with --output, if it is the document in force")
    }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let target = PublicationTarget(current, headers: request.fields)
    let act = PublicationAct(
      target, record: options.record(of: target, on: terminal), key: signing.file, known: request.revision,
      isUnsigned: request.unsigned, on: terminal)
    let look = current.isStandardInput ? try await lookAtInput(terminal) : try await act.look()
    let (older, entry) = try await older(act.record, on: terminal)
    let edit = PublicationEdit.back(to: older, entry: entry, name: output?.name ?? older.name)
    guard let draft = try act.draft(edit, after: look, time: moment.milliseconds) else { return .findings }
    show(draft.plan, on: terminal)
    let findings =
      try draft.new.document.audit() + draft.objections(allowing: allowed).map(\.finding)
      + passedSchedule(of: draft.new.document, name: older.name) + (publishes ? look.warnings : [])
    terminal.report(findings, format: format)
    guard !findings.contains(where: { $0.severity == .error }) else { return .findings }
    guard let output else {
      terminal.data(String(decoding: draft.new.bytes, as: UTF8.self))
      terminal.note("nothing is published: --output with the live document replaces it")
      return .clean
    }
    if publishes {
      _ = try act.signature(of: draft)
      guard try yes || terminal.confirms("publish this as revision \(draft.new.document.revision)?") else {
        terminal.note("nothing is published")
        return .findings
      }
      terminal.report(try await act.publish(draft, user: options.user, message: message.message), format: format)
      terminal.note("published revision \(draft.new.document.revision)")
    } else if let path = output.path {
      let signature = try signing.file?.signature(of: draft.new.bytes)
      guard try signature != nil || PublicationTarget.signature(beside: path) == nil else {
        throw CommandError("\(path) is signed, and there is no key for the new document", help: "give --signing-key")
      }
      try InputFile.replace(path, with: draft.new.bytes)
      if let signature {
        try InputFile.replace(path + "." + RolloutSignature.fileExtension, with: signature.fileBytes)
      }
    }
    return .clean
  }

  /// Standard input is in force nowhere that could be read or written.
  private func lookAtInput(_ terminal: Terminal) async throws -> PublicationAct.Look {
    PublicationAct.Look(inForce: try RolloutText(live: try await current.bytes(on: terminal), name: current.name))
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
    guard let output else { return false }
    guard let file = output.path, let live = current.path else { return output == current }
    func place(_ path: String) -> String { URL(fileURLWithPath: InputFile.resolvingLinks(path)).standardized.path }
    return place(file) == place(live)
  }

  private func older(
    _ record: PublicationRecord?, on terminal: Terminal
  ) async throws -> (RolloutText, entry: String?) {
    if let to { return (try RolloutText(try await to.bytes(on: terminal), name: to.name), nil) }
    guard let toEntry, let record else {
      throw CommandError("there is no record of \(current.name)", help: "name one with --history")
    }
    let entry = try record.entry(toEntry)
    return (try RolloutText(Array(entry.publication.text.utf8), name: "entry \(entry.id)"), entry.id)
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
    Set([allowNeither ? .neither : nil, allowReshuffle ? .reshuffle : nil, allowUndo ? .kill : nil].compactMap { $0 })
  }
}

extension DocumentDiagnostic.Code {
  /// A rollback to a document whose schedule has passed.
  static let passedSchedule = DocumentDiagnostic.Code(rawValue: "DS0418")
}
