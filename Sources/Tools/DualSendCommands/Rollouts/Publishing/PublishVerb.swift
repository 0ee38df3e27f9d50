import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendParity
import DualSendRollout
import DualSendRolloutAnalysis

/// `dualsend publish`: replaces the live document by an edited one.
struct PublishVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Publish an edited rollout document: show its plan, ask once, replace the live one, and read it back.",
    discussion: """
      TARGET is a file, which is replaced, or an address that takes PUT; give --to twice for a file and its address. What \
      apps fetch is read first, with its signature, and the plan is the change of that text. NEXT has a higher revision than \
      the live one; it gets a higher one still if the record knows of one.
      Before the first byte is sent, the text is recorded, see `dualsend history`. The live text is replaced only if it is \
      still the one that was read (`If-Match` with its entity tag). Then it is read back. `dualsend plan` is the dry run.
      If a command was interrupted, or its answer was lost, the outcome is not known. --resume looks again: it completes \
      the signature of a text that is live, and sends no text.
      Exit status 0 if the document is live; 1 if the plan is refused, or the answer is no, or with --resume if the text is \
      known not to be live; 2 if nothing was published, or if that is not known.
      """.examples(
        "dualsend publish next.json --to rollout.json --message 'new tracker to 20 %'",
        "dualsend publish next.json --to https://config.example/rollout.json \\\n      --header 'Authorization: Bearer TOKEN' --yes",
        "dualsend publish --resume --to https://config.example/rollout.json")
  )

  @Argument(help: ArgumentHelp("The edited document: \(DocumentInput.forms).", valueName: "next"))
  var next: DocumentInput?
  @Option(
    name: .customLong("to"), parsing: .singleValue,
    help: ArgumentHelp("The file or the address that is live; twice for a file and its address.", valueName: "target"))
  var to: [DocumentInput]
  @Flag(help: "Look again at a publication whose outcome is not known.")
  var resume = false
  @Flag(help: "Allow that units lose the new tracker, or a sink of its side.")
  var allowEvictions = false
  @Flag(help: "Allow that units are left without a sink.")
  var allowNeither = false
  @Flag(help: "Allow that a kill is taken back.")
  var allowUndo = false
  @Option(
    help: ArgumentHelp(
      "Refuse to raise new for events that fail parity in this report, as `plan` does.", valueName: "report"))
  var parity: String?
  @OptionGroup(title: "With --parity") var gate: GateOptions
  @Flag(help: "Publish without asking.")
  var yes = false
  @OptionGroup var signing: SigningOption
  @OptionGroup var request: RequestOptions
  @OptionGroup var record: RecordOptions
  @OptionGroup var message: MessageOption
  @OptionGroup var output: FormatOption

  func validate() throws {
    if (next == nil) != resume { throw ValidationError("give the edited document, or --resume") }
    let (files, addresses) = (to.count { $0.path != nil }, to.count { $0.address != nil })
    if files + addresses != to.count || files > 1 || addresses > 1 || to.isEmpty {
      throw ValidationError("--to is a file, an address, or one of each")
    }
    if addresses == 0, !request.fields.isEmpty { throw ValidationError("--header needs an address") }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let file = to.first { $0.path != nil }
    let target = PublicationTarget(
      file ?? to.first, at: to.compactMap(\.address).first, headers: request.fields)
    let act = PublicationAct(
      target, record: record.record(of: target, on: terminal), key: signing.file, known: request.revision,
      isUnsigned: request.unsigned, on: terminal)
    guard let next else { return try await act.resume() ? .clean : .findings }
    let new = try RolloutText(try await next.bytes(on: terminal), name: next.name)
    let look = try await act.look()
    terminal.report(look.warnings, format: format)
    guard let draft = try act.draft(.text(new, by: .publish, mayHaveSameRevision: false), after: look) else {
      terminal.note("\(target.name) has this document already; nothing is published")
      return .clean
    }
    if look.inForce == nil { terminal.note("\(target.name) has no document yet") }
    if format == .json { terminal.result(draft.plan.json) } else { terminal.result(draft.plan.text) }
    var findings = try draft.findings() + draft.objections(file: next.name, allowing: allowed).map(\.finding)
    if let parity, let before = look.inForce?.document {
      let report = try ParityReport(try InputFile.bytes(parity), name: parity)
      let gate = AdvanceGate(
        report: report, gate: gate.gate(otherwise: .perMille), from: before, to: draft.new.document)
      findings += gate.findings(draft.steps, file: next.name, reportFile: parity)
    }
    terminal.report(findings, format: format)
    if findings.contains(where: { $0.severity == .error }) { return .findings }
    _ = try act.signature(of: draft)
    let revision = draft.new.document.revision
    guard try yes || terminal.confirms("publish this as revision \(revision)?") else {
      terminal.note("nothing is published")
      return .findings
    }
    terminal.report(try await act.publish(draft, user: record.user, message: message.message), format: format)
    terminal.note("published revision \(revision)")
    return .clean
  }

  var format: OutputFormat { output.format }

  private var allowed: Set<PlanObjection.Kind> {
    Set(
      [allowEvictions ? .evictions : nil, allowNeither ? .neither : nil, allowUndo ? .kill : nil].compactMap(\.self))
  }
}
