import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendGuard
import DualSendParity
import DualSendRollout
import DualSendRolloutAnalysis

/// The rollout document that `dualsend guard` edits and publishes. Edits change only the shares.
struct GuardedRollout: GuardedDocument {
  private static let (newTracker, oldLogger) = ("shouldSendLogToNewTracker", "shouldSendLogToOldLogger")

  let input: DocumentInput
  /// The rule whose share is moved; `nil` for that of the top level.
  let rule: String?
  let publishing: PublishingOptions
  let options: RecordOptions
  let terminal: Terminal

  func live() async throws -> [UInt8] {
    if let path = input.path { return try InputFile.exactBytes(path) }
    return try await input.bytes(on: terminal)
  }

  func share(in text: [UInt8]) throws -> RolloutPercentage {
    let root = try JSONReader().document(text).root
    return try flag(Self.newTracker, in: place(in: root)).share
  }

  func edited(
    _ text: [UInt8], to share: RolloutPercentage, lowering events: [EventPattern], evidence: ParityReport?
  ) throws -> [UInt8]? {
    let live = try RolloutText(live: text, name: input.name)
    let isRetreat = try self.share(in: text) > share || !events.isEmpty
    let lowering = RolloutLowering(events, to: share)
    var edited = try self.share(in: text) == share ? text : try moved(text, to: share)
    if !events.isEmpty { edited = try lowering.text(of: edited) ?? edited }
    guard edited != text else { return nil }
    let revision = try options.nextRevision(of: input, after: live.document.revision, known: publishing.revision)
    let unnumbered = try RolloutText(edited, name: input.name)
    let new = try RolloutText(try unnumbered.bytes(withRevision: revision), name: input.name)
    let findings = try new.document.everyFinding(in: new.bytes, name: new.name).filter { $0.severity == .error }
    guard findings.isEmpty else { throw GuardRefusal(findings) }
    if !events.isEmpty, let rest = try lowering.rest(in: new.document).first {
      throw refusal("\(rest.place) would still give `\(rest.event)` to \(rest.share) of units")
    }
    let isScheduled = !(live.document.changeTimes + new.document.changeTimes).isEmpty
    let now = isScheduled ? TimeSource.system.wallMilliseconds() : nil
    let steps = try RolloutPlan.steps(from: live.document, to: new.document, now: now)
    var objections = PlanReport(before: live.name, after: new.name, steps: steps)
      .objections(file: new.name, allowing: isRetreat ? [.evictions] : []).map(\.finding)
    if let evidence {
      objections += AdvanceGate(report: evidence, gate: ParityGate(), from: live.document, to: new.document)
        .unmeasured(steps, file: new.name, reportFile: "the evidence")
    }
    guard objections.isEmpty else { throw GuardRefusal(objections) }
    return new.bytes
  }

  func publish(_ text: [UInt8], over before: [UInt8], for decision: GuardDecision) async throws {
    let warnings = try await publishing.publisher(of: input, on: terminal).publish(
      text, signature: try publishing.key?.signature(of: text), over: before,
      recording: publication(of: text, after: before, for: decision), in: options.record(of: input))
    terminal.report(warnings)
  }

  func record(_ text: [UInt8], after before: [UInt8], for decision: GuardDecision) async {
    guard let record = options.record(of: input) else { return }
    terminal.report(record.addOnce(publication(of: text, after: before, for: decision)))
  }

  private func publication(of text: [UInt8], after before: [UInt8], for decision: GuardDecision) -> Publication {
    let documents = [before, text].map { try? RolloutDocument(reading: $0, name: input.name) }
    var publication = Publication(
      by: .guard, time: decision.time, user: options.user,
      message: "\(decision.action.rawValue) \(decision.from) → \(decision.to): \(decision.why)", before: before,
      after: text, gate: decision.json)
    if let before = documents[0], let after = documents[1] {
      publication.plan = try? PlanReport.recorded(from: before, to: after, now: decision.time).text
    }
    return publication
  }

  // MARK: Editing

  /// The text with another share at the place that the policy moves. Raises the share of the old logger if units would be
  /// left without a sink.
  private func moved(_ text: [UInt8], to share: RolloutPercentage) throws -> [UInt8] {
    let place = try place(in: try JSONReader().document(text).root)
    let new = try flag(Self.newTracker, in: place)
    var edits = [TextEdit(new.node.range(in: text), share.jsonNumber)]
    if let old = try? flag(Self.oldLogger, in: place), old.share.thousandths + share.thousandths < RolloutBucket.count,
      let rest = RolloutPercentage(thousandths: RolloutBucket.count - share.thousandths)
    {
      edits.append(TextEdit(old.node.range(in: text), rest.jsonNumber))
    }
    return TextEdit.apply(edits, to: text)
  }

  /// The object whose share is moved.
  private func place(in root: JSONNode) throws -> JSONNode {
    guard case .object = root.content else { throw refusal("the document is not an object") }
    guard let rule else { return root }
    guard let rules = root.value(of: "rules") else { throw refusal("the document has no rules") }
    let named = rules.elements.first { $0.value(of: "name")?.string?.isExactly(rule) ?? false }
    guard let named else { throw refusal("no rule is named `\(rule)`") }
    return named
  }

  private func flag(_ key: String, in place: JSONNode) throws -> (node: JSONNode, share: RolloutPercentage) {
    guard let node = place.value(of: key) else { throw refusal("there is no `\(key)` to move") }
    guard let share = node.share else { throw refusal("`\(key)` is not a share; a schedule moves by itself") }
    return (node, share)
  }

  private func refusal(_ message: String) -> GuardRefusal {
    GuardRefusal([
      DocumentDiagnostic(
        .error, .guardStep, message, file: input.name,
        help: "give the place that the policy moves a `\(Self.newTracker)` in percent")
    ])
  }
}
