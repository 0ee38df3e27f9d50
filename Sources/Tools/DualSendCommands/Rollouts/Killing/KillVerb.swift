import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis

/// `dualsend kill`: takes the new side from all units, for all events or some, and gives it back.
struct KillVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "kill",
    abstract: "Stop the new side for all events or some, in every rule; or undo that.",
    discussion: """
      Lowers the share in every place of the document that gives one of the events to the new side, proves that no unit \
      gets them any more, shows the plan, asks once, and publishes. Other events keep what they have; named sinks of the \
      new side stop with it. --undo publishes the text of before the last publication again, with a new revision.
      DOCUMENT is a file, which is replaced, or an address, for which --publish names where to PUT. If it is not valid, apps \
      keep the one that they have, and this starts from the one recorded last.
      Exit status 1 if nothing gives these events to the new side, or the answer is no.
      """.examples(
        "dualsend kill rollout.json --message 'orders are lost'",
        "dualsend kill rollout.json --event 'checkout.*'",
        "dualsend kill rollout.json --undo")
  )

  @Argument(help: ArgumentHelp("The rollout document that is live.", valueName: "document"))
  var document: DocumentInput
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp("Stop only this event; may be repeated.", valueName: "name or prefix*"),
    transform: { text in
      guard let pattern = EventPattern(text) else {
        throw ValidationError("`\(text)` is not a name or a prefix and `*`")
      }
      return pattern
    })
  var event: [EventPattern] = []
  @Flag(help: "Leave rules alone that name units, such as test devices.")
  var keepNamedUnits = false
  @Flag(help: "Publish the text of before the last publication again.")
  var undo = false
  @Flag(help: "Publish without asking.")
  var yes = false
  @OptionGroup var publishing: PublishingOptions
  @OptionGroup var message: MessageOption
  @OptionGroup var options: RecordOptions
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  func validate() throws {
    if document.isStandardInput {
      throw ValidationError("a document that is published is a file or an address, not standard input")
    }
    if document.path == nil, publishing.publish == nil {
      throw ValidationError("a document at an address is published with --publish")
    }
    if undo, !event.isEmpty || keepNamedUnits { throw ValidationError("--undo goes with no event") }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let publisher = publishing.publisher(of: document, on: terminal)
    if publishing.key == nil { try await publisher.refuseUnsigned() }
    let bytes = try await document.exactBytes(on: terminal)
    let record = options.record(of: document)
    let live = try inForce(bytes, record, on: terminal)
    let revision = try options.nextRevision(of: document, after: live.document.revision, known: publishing.revision)
    let time = TimeSource.system.wallMilliseconds()
    guard
      let kill = try undo
        ? RolloutKill.undoing(live, record: record, revision: revision, time: time)
        : RolloutKill.stopping(patterns, in: live, keepsNamedUnits: keepNamedUnits, revision: revision, time: time)
    else {
      terminal.note("nothing gives \(words) to the new side; nothing is published")
      return .findings
    }
    let new = kill.new
    let findings = try new.document.everyFinding(in: new.bytes, name: new.name).filter { $0.severity == .error }
    guard findings.isEmpty else {
      terminal.report(findings, format: format)
      return .couldNotRun
    }
    show(kill.plan, kill.rest, on: terminal)
    if !yes, !confirmed(on: terminal) {
      terminal.note("nothing is published")
      return .findings
    }
    terminal.report(kill.keepLive(in: record, user: options.user), format: format)
    let warnings = try await publisher.publish(
      new.bytes, signature: try publishing.key?.signature(of: new.bytes), over: bytes,
      recording: kill.publication(user: options.user, message: message.message), in: record)
    terminal.report(warnings, format: format)
    terminal.note(
      "published revision \(new.document.revision)"
        + (undo ? "" : "; apps have it at their next fetch. `dualsend kill \(document.name) --undo` goes back"))
    return .clean
  }

  /// The document that apps have: the live text or, if that is not valid, the one recorded last, because apps keep theirs.
  private func inForce(
    _ bytes: [UInt8], _ record: PublicationRecord?, on terminal: Terminal
  ) throws -> RolloutText {
    do { return try RolloutText(live: bytes, name: document.name) } catch {
      guard let last = try? record?.read(lines: 200).lastPublished,
        let text = try? RolloutText(live: Array(last.publication.text.utf8), name: "entry \(last.id)")
      else { throw error }
      terminal.note(
        "\(document.name) is not a valid document, so apps keep the one that they have; this starts from the one recorded last, "
          + "revision \(text.document.revision). If apps may have a higher one, pass it with --revision")
      return text
    }
  }

  private var patterns: [EventPattern] { event.isEmpty ? [.prefix("")] : event }

  private var words: String {
    event.isEmpty ? "any event" : event.map { "`\($0)`" }.joined(separator: ", ")
  }

  private func show(_ plan: PlanReport, _ rest: [RolloutLowering.Rest], on terminal: Terminal) {
    let stays = rest.map { one -> EventValue in
      ["event": .string(one.event), "units": .array(one.units.map { .string($0) }), "place": .string(one.place)]
    }
    if format == .json { return terminal.result(["plan": plan.json, "stays": .array(stays)]) }
    terminal.result(plan.text)
    if !undo, rest.isEmpty { terminal.result("after it, no unit gets \(words) on the new side") }
    for one in rest {
      let units = one.units.map { "`\($0.printable())`" }.joined(separator: ", ")
      let events = event.isEmpty ? "events such as `\(one.event.printable())`" : "`\(one.event.printable())`"
      terminal.result("still on the new side: \(units) with \(events), by \(one.place)")
    }
  }

  /// Asks once; no answer is no.
  private func confirmed(on terminal: Terminal) -> Bool {
    terminal.diagnostics.write("publish this? [y/N] ")
    let answer = terminal.line()?.lowercased()
    return answer == "y" || answer == "yes"
  }
}
