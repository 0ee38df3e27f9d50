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
      DOCUMENT is a file, which is replaced, or an address, for which --publish names where to PUT.
      Exit status 1 if nothing gives these events to the new side, or the answer is no.
      """
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
    let live = try RolloutText(live: try await document.exactBytes(on: terminal), name: document.name)
    let revision = try options.nextRevision(of: document, after: live.document.revision, known: publishing.revision)
    guard let (new, entry) = try undo ? before(live, revision) : killed(live, revision) else {
      terminal.note("nothing gives \(words) to the new side; nothing is published")
      return .findings
    }
    let findings = try new.document.everyFinding(in: new.bytes, name: new.name).filter { $0.severity == .error }
    guard findings.isEmpty else {
      terminal.report(findings, format: format)
      return .couldNotRun
    }
    let time = TimeSource.system.wallMilliseconds()
    let isScheduled = !(live.document.changeTimes + new.document.changeTimes).isEmpty
    let plan = PlanReport(
      before: live.name, after: new.name,
      steps: try RolloutPlan.steps(from: live.document, to: new.document, now: isScheduled ? time : nil))
    let rest = try undo ? [] : RolloutLowering(patterns, to: .none).rest(in: new.document)
    guard rest.allSatisfy({ keepNamedUnits && !$0.units.isEmpty }) else {
      throw CommandError("\(rest[0].place) would still give `\(rest[0].event)` to \(rest[0].share) of units")
    }
    show(plan, rest, on: terminal)
    if !yes, !confirmed(on: terminal) {
      terminal.note("nothing is published")
      return .findings
    }
    let publication = Publication(
      by: undo ? .rollback : .kill, time: time, user: options.user, message: message.message, before: live.bytes,
      after: new.bytes, plan: plan.text, backTo: entry)
    if !undo { keep(live, time, on: terminal) }
    let warnings = try await publisher.publish(
      new.bytes, signature: try publishing.key?.signature(of: new.bytes), over: live.bytes, recording: publication,
      in: options.record(of: document))
    terminal.report(warnings, format: format)
    terminal.note(
      "published revision \(new.document.revision)"
        + (undo ? "" : "; apps have it at their next fetch. `dualsend kill \(document.name) --undo` goes back"))
    return .clean
  }

  private var patterns: [EventPattern] { event.isEmpty ? [.prefix("")] : event }

  private var words: String {
    event.isEmpty ? "any event" : event.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// The lowered text; `nil` if there is nothing to lower.
  private func killed(_ live: RolloutText, _ revision: Int64) throws -> (RolloutText, entry: String?)? {
    let lowering = RolloutLowering(patterns, to: .none, keepsNamedUnits: keepNamedUnits)
    guard let text = try lowering.text(of: live.bytes) else { return nil }
    let unnumbered = try RolloutText(live: text, name: live.name)
    return (try RolloutText(try unnumbered.bytes(withRevision: revision), name: live.name), nil)
  }

  /// Records the live text, unless it is recorded, so that it can be brought back.
  private func keep(_ live: RolloutText, _ time: Int64, on terminal: Terminal) {
    guard let record = options.record(of: document) else { return }
    let hash = DocumentHash.text(of: live.bytes)
    let isKept = (try? record.read(lines: Self.entries).entries.contains { $0.publication.after.hash == hash }) ?? false
    guard !isKept else { return }
    terminal.report(
      record.add(
        Publication(by: .added, time: time - 1, user: options.user, message: nil, before: nil, after: live.bytes)),
      format: format)
  }

  /// How many of the last entries are read.
  private static let entries = 1000

  /// The text of before the last publication, with a new revision.
  private func before(_ live: RolloutText, _ revision: Int64) throws -> (RolloutText, entry: String?)? {
    guard let record = options.record(of: document) else {
      throw CommandError("a document at an address has no record of its own", help: "name one with --history")
    }
    let entries = try record.read(lines: Self.entries).entries
    let hash = DocumentHash.text(of: live.bytes)
    guard let last = entries.last(where: { $0.publication.after.hash == hash }), let before = last.publication.before,
      let entry = entries.last(where: { $0.publication.after.hash == before.hash })
    else {
      throw CommandError(
        "the record does not have the text of before the live one",
        help: "name a text with `dualsend rollback --to`, or raise the shares by hand")
    }
    let older = try RolloutText(Array(entry.publication.text.utf8), name: "entry \(entry.id)")
    return (try RolloutText(try older.bytes(withRevision: revision), name: live.name), entry.id)
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
