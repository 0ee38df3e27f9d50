import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRemapping
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
      new side stop with it. --undo publishes the text of before the last kill again, with a new revision.
      An event is named as the app logs it or as the collector shows it; the table (--remap, or remapping.json beside the \
      document) translates. A name that neither document nor table nor record knows is refused.
      DOCUMENT is a file, which is replaced, or an address that takes PUT; with --publish, a file and its address, or the \
      address at which apps read. If it is not valid, apps keep the one that they have, and this starts from the one \
      recorded last. See `dualsend publish` for how a document is replaced.
      Exit status 1 if nothing gives these events to the new side, or the answer is no; 2 if nothing was published, or if \
      that is not known.
      """.examples(
        "dualsend kill rollout.json --message 'orders are lost'",
        "dualsend kill rollout.json --event 'checkout.*'",
        "dualsend kill rollout.json --undo")
  )

  @Argument(help: ArgumentHelp("The rollout document that is live.", valueName: "document"))
  var document: DocumentInput
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Stop only this event, as the app logs it or the collector shows it; may be repeated.",
      valueName: "name or prefix*"),
    transform: { text in
      do { return try AppEvents.pattern(text) } catch let error as CommandError { throw ValidationError(error.message) }
    })
  var event: [EventPattern] = []
  @Option(help: ArgumentHelp("The remapping table (default: remapping.json beside the document).", valueName: "file"))
  var remap: DocumentInput?
  @Flag(help: "Stop a name that neither the document nor the table nor the record knows.")
  var unknownEvent = false
  @Flag(help: "Leave rules alone that name units, such as test devices.")
  var keepNamedUnits = false
  @Flag(help: "Publish the text of before the last kill again.")
  var undo = false
  @Flag(help: "Publish without asking.")
  var yes = false
  @OptionGroup var publishing: PublishingOptions
  @OptionGroup var message: MessageOption
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  func validate() throws {
    if document.isStandardInput {
      throw ValidationError("a document that is published is a file or an address, not standard input")
    }
    if undo, !event.isEmpty || keepNamedUnits { throw ValidationError("--undo goes with no event") }
    if event.isEmpty, remap != nil || unknownEvent {
      throw ValidationError("--remap and --unknown-event go with --event")
    }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let act = try publishing.act(on: document, terminal)
    let look = try await act.look()
    terminal.report(look.warnings, format: format)
    let patterns = undo ? [] : try await patterns(in: look, on: terminal)
    let edit = undo ? .undoingLastKill : PublicationEdit.stopping(patterns, keepsNamedUnits: keepNamedUnits)
    guard let draft = try act.draft(edit, after: look) else {
      let stops = patterns.isEmpty ? [EventPattern.prefix("")] : patterns
      let rest = try look.inForce.map { try RolloutLowering(stops, to: .none).rest(in: $0.document) } ?? []
      for one in rest where !undo { show(one, on: terminal) }
      terminal.note(
        (rest.isEmpty || undo ? "nothing" : "nothing else") + " gives \(words) to the new side; nothing is published")
      return .findings
    }
    let findings = try draft.findings().filter { $0.severity == .error }
    guard findings.isEmpty else {
      terminal.report(findings, format: format)
      return .couldNotRun
    }
    // What apps would refuse is said before the question.
    _ = try act.signature(of: draft)
    show(draft.plan, try draft.edited.rest(in: draft.new.document), on: terminal)
    guard try yes || terminal.confirms("publish this?") else {
      terminal.note("nothing is published")
      return .findings
    }
    terminal.report(
      try await act.publish(draft, user: publishing.record.user, message: message.message), format: format)
    terminal.note(
      "published revision \(draft.new.document.revision)"
        + (undo
          ? "" : "; apps have it at their next fetch. `dualsend kill \(publishing.words(document)) --undo` goes back"))
    if format != .json { for pattern in patterns { explain(pattern, draft, on: terminal) } }
    return .clean
  }

  private func patterns(in look: PublicationAct.Look, on terminal: Terminal) async throws -> [EventPattern] {
    guard !event.isEmpty, let inForce = look.inForce else { return [.prefix("")] }
    let table = try await AppEvents.table(remap, beside: document.path, on: terminal)
    let events = AppEvents(inForce.document, table: table, record: look.record)
    var patterns: [EventPattern] = []
    for one in event {
      let meant = try events.patterns(one, isConfirmed: unknownEvent, on: terminal)
      patterns += meant.filter { !patterns.contains($0) }
    }
    return patterns
  }

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
    for one in rest { show(one, on: terminal) }
  }

  private func show(_ one: RolloutLowering.Rest, on terminal: Terminal) {
    let units = one.units.map { "`\($0.printable())`" }.joined(separator: ", ")
    let events = event.isEmpty ? "events such as `\(one.event.printable())`" : "`\(one.event.printable())`"
    terminal.result("still on the new side: \(units) with \(events), by \(one.place)")
  }

  /// What a unit gets of a stopped event now, as `dualsend explain` decides it.
  private func explain(_ pattern: EventPattern, _ draft: PublicationAct.Draft, on terminal: Terminal) {
    let example = pattern.stem.isEmpty ? "any" : pattern.stem
    let report = DecisionReport(
      of: draft.new.document, at: draft.time, event: example, context: DecisionContext(unitID: "a-unit"))
    terminal.result("now: `\(pattern.description.printable())` goes to \(report.decision.outcome.destinations)")
  }
}
