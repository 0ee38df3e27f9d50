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

  /// What messages call it.
  let name: String
  /// The rule whose share is moved; `nil` for that of the top level.
  let rule: String?
  let act: PublicationAct
  let user: String?

  func live() async throws -> [UInt8] {
    guard let bytes = try await act.look().live.bytes else { throw CommandError("\(name) has no document") }
    return bytes
  }

  func killInForce() throws -> String? {
    try act.record?.read(last: PublicationRecord.depth).killInForce.map { kill in
      "\(kill.publication.user) stopped \(kill.publication.stops.joined(separator: ", ")) with revision \(kill.revision ?? 0)"
    }
  }

  func share(in text: [UInt8]) throws -> RolloutPercentage {
    let root = try JSONReader().document(text).root
    return try flag(Self.newTracker, in: place(in: root)).share
  }

  func edited(
    _ text: [UInt8], to share: RolloutPercentage, lowering events: [EventPattern], evidence: ParityReport?
  ) throws -> [UInt8]? {
    let isRetreat = try self.share(in: text) > share || !events.isEmpty
    do {
      let moved = try self.share(in: text) == share ? text : try moved(text, to: share)
      return try proved(moved, in: text, by: RolloutLowering(events, to: share), evidence, isRetreat: isRetreat)
    } catch  where isRetreat {
      // The narrow edit may leave units without a sink, because of other rules. What `dualsend kill` does leaves none.
      let all = RolloutLowering(try eventsOfPlace(in: text) + events, to: share)
      return try proved(text, in: text, by: all, evidence, isRetreat: true)
    }
  }

  /// - Parameter moved: the text with the share, to lower further.
  private func proved(
    _ moved: [UInt8], in text: [UInt8], by lowering: RolloutLowering, _ evidence: ParityReport?, isRetreat: Bool
  ) throws -> [UInt8]? {
    let edited = lowering.events.isEmpty ? moved : try lowering.text(of: moved) ?? moved
    guard edited != text else { return nil }
    let look = PublicationAct.Look(
      inForce: try RolloutText(live: text, name: name), record: try act.record?.read(last: PublicationRecord.depth))
    guard let draft = try act.draft(.moved(edited, name: name), after: look) else { return nil }
    let findings = try draft.findings().filter { $0.severity == .error }
    guard findings.isEmpty else { throw GuardRefusal(findings) }
    if !lowering.events.isEmpty, let rest = try lowering.rest(in: draft.new.document).first {
      throw refusal("\(rest.place) would still give `\(rest.event)` to \(rest.share) of units")
    }
    var objections = try draft.objections(allowing: isRetreat ? [.evictions] : []).map(\.finding)
    if let evidence, let before = look.inForce?.document {
      objections += AdvanceGate(report: evidence, gate: ParityGate(), from: before, to: draft.new.document)
        .unmeasured(draft.steps, file: name, reportFile: "the evidence")
    }
    guard objections.isEmpty else { throw GuardRefusal(objections) }
    return draft.new.bytes
  }

  func publish(_ text: [UInt8], over before: [UInt8], for decision: GuardDecision) async throws -> [UInt8] {
    let look = try await act.look()
    act.terminal.report(look.warnings)
    guard look.live.bytes == before else {
      throw CommandError("\(name) was changed in between", help: "the next look sees it")
    }
    guard let draft = try act.draft(.moved(text, name: name), after: look, time: decision.time) else { return text }
    act.terminal.report(
      try await act.publish(
        draft, user: user, message: "\(decision.action.rawValue) \(decision.from) → \(decision.to): \(decision.why)",
        gate: decision.json))
    return draft.new.bytes
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

  /// The events whose share is moved.
  private func eventsOfPlace(in text: [UInt8]) throws -> [EventPattern] {
    let place = try place(in: try JSONReader().document(text).root)
    return place.value(of: "match")?.value(of: "events")?.elements.compactMap { $0.string.flatMap { EventPattern($0) } }
      ?? [.prefix("")]
  }

  private func flag(_ key: String, in place: JSONNode) throws -> (node: JSONNode, share: RolloutPercentage) {
    guard let node = place.value(of: key) else { throw refusal("there is no `\(key)` to move") }
    guard let share = node.share else { throw refusal("`\(key)` is not a share; a schedule moves by itself") }
    return (node, share)
  }

  private func refusal(_ message: String) -> GuardRefusal {
    GuardRefusal([
      DocumentDiagnostic(
        .error, .guardStep, message, file: name,
        help: "give the place that the policy moves a `\(Self.newTracker)` in percent")
    ])
  }
}
