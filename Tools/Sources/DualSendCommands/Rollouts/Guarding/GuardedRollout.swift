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
  let publisher: RolloutPublisher
  let key: SigningKeyFile?
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

  func edited(_ text: [UInt8], to share: RolloutPercentage, evidence: ParityReport?) throws -> [UInt8] {
    let live = try RolloutText(text, name: input.name)
    let next = live.document.revision.addingReportingOverflow(1)
    guard !next.overflow else { throw CommandError("no revision can follow \(live.document.revision)") }
    let unnumbered = try RolloutText(try moved(text, to: share), name: input.name)
    let new = try RolloutText(try unnumbered.bytes(withRevision: next.partialValue), name: input.name)
    let isRetreat = try self.share(in: text) > share
    let findings = try new.document.everyFinding(in: new.bytes, name: new.name).filter { $0.severity == .error }
    guard findings.isEmpty else { throw GuardRefusal(findings) }
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

  func publish(_ text: [UInt8]) async throws {
    _ = try await publisher.publish(
      text, signature: try key?.signature(of: text), file: input.path, over: nil, recording: nil,
      in: options.record(of: input))
  }

  func record(_ text: [UInt8], after before: [UInt8], for decision: GuardDecision) async {
    guard let record = options.record(of: input) else { return }
    let documents = [before, text].map { try? RolloutDocument(proving: $0, name: input.name) }
    var publication = Publication(
      by: .guard, time: decision.time, user: options.user,
      message: "\(decision.action.rawValue) \(decision.from) → \(decision.to): \(decision.why)", before: before,
      after: text,
      gate: decision.json)
    if let before = documents[0], let after = documents[1] {
      publication.plan = try? PlanReport.recorded(from: before, to: after, now: decision.time).text
    }
    terminal.report(record.addOnce(publication))
  }

  // MARK: Editing

  /// The text with another share. Raises the share of the old logger if units would be left without a sink.
  private func moved(_ text: [UInt8], to share: RolloutPercentage) throws -> [UInt8] {
    let place = try place(in: try JSONReader().document(text).root)
    var edits = [(try flag(Self.newTracker, in: place).node, share)]
    if let old = try? flag(Self.oldLogger, in: place), old.share.thousandths + share.thousandths < 100_000,
      let rest = RolloutPercentage(thousandths: 100_000 - share.thousandths)
    {
      edits.append((old.node, rest))
    }
    var text = text
    for (node, share) in edits.sorted(by: { $0.0.offset > $1.0.offset }) {
      let length =
        switch node.content {
        case .number(let number): number.text.utf8.count
        case .bool(let flag): flag ? 4 : 5
        default: 0
        }
      text.replaceSubrange(node.offset..<(node.offset + length), with: share.jsonNumber.utf8)
    }
    return text
  }

  /// The members of the object whose share is moved.
  private func place(in root: JSONNode) throws -> [JSONNode.Member] {
    guard case .object(let members) = root.content else { throw refusal("the document is not an object") }
    guard let rule else { return members }
    let rules = members.first { $0.key == "rules" }?.value.content
    guard case .array(let elements)? = rules else { throw refusal("the document has no rules") }
    for element in elements {
      guard case .object(let members) = element.content,
        case .string(let name)? = members.first(where: { $0.key == "name" })?.value.content, name.isExactly(rule)
      else { continue }
      return members
    }
    throw refusal("no rule is named `\(rule)`")
  }

  private func flag(
    _ key: String, in members: [JSONNode.Member]
  ) throws -> (node: JSONNode, share: RolloutPercentage) {
    guard let node = members.first(where: { $0.key == key })?.value else {
      throw refusal("there is no `\(key)` to move")
    }
    let percent: Double? =
      switch node.content {
      case .number(let number): Double(number.text)
      case .bool(let flag): flag ? 100 : 0
      default: nil
      }
    guard let percent, let share = RolloutPercentage(percent: percent) else {
      throw refusal("`\(key)` is not a share; a schedule moves by itself")
    }
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
