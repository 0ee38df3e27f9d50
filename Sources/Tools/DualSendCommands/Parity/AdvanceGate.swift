import ArgumentParser
import DualSend
import DualSendCommandLine
package import DualSendCore
package import DualSendParity
package import DualSendRollout
package import DualSendRolloutAnalysis

/// Checks an edit of the rollout against a parity report. The new tracker, and each named sink of its side, may get
/// more of an event only if that event passes the parity gate.
package struct AdvanceGate {
  private let report: ParityReport
  private let gate: ParityGate
  /// The revision whose effect the report should have measured.
  private let revision: Int64
  /// The patterns of both documents. The closest match for a name decides its group in the plan.
  private let patterns: [EventPattern]

  package init(report: ParityReport, gate: ParityGate, from old: RolloutDocument, to new: RolloutDocument) {
    self.report = report
    self.gate = gate
    revision = old.revision
    patterns = [old, new].flatMap { document in document.rules.flatMap { $0.match.events ?? [] } }
  }

  /// One error for each event that the plan would send to more units of the new side although its parity is worse than
  /// allowed, or was never measured. Empty for a plan that raises nothing.
  package func findings(_ steps: [RolloutPlan], file: String, reportFile: String) -> [DocumentDiagnostic] {
    let raised = steps.flatMap { self.raised(by: $0) }
    if raised.isEmpty { return [] }
    return report.events.compactMap { event in
      let groups = raised.filter { isIn($0, event.name) }
      return groups.first.flatMap { finding(event, $0, file: file, reportFile: reportFile) }
    }
      + unmeasured(raised, file: file, reportFile: reportFile) + findingsOnReport(reportFile)
  }

  /// The events of the report that the plan would send to more units, each with the gate's verdict.
  package func advanced(by steps: [RolloutPlan]) -> [(event: EventParity, verdict: ParityVerdict)] {
    let raised = steps.flatMap { self.raised(by: $0) }
    return report.events.filter { event in raised.contains { group in isIn(group, event.name) } }
      .map { ($0, verdict(on: $0)) }
  }

  /// One error for each group or name that would go to more units and is missing in the report.
  package func unmeasured(_ steps: [RolloutPlan], file: String, reportFile: String) -> [DocumentDiagnostic] {
    unmeasured(steps.flatMap { raised(by: $0) }, file: file, reportFile: reportFile)
  }

  /// Events that more units would send to the new side, or to one of its named sinks.
  private struct Raised {
    let patterns: [EventPattern]
    /// The sink that gets more of them, as findings name it.
    let subject: String
  }

  private func raised(by plan: RolloutPlan) -> [Raised] {
    plan.events.filter(\.raisesNewTracker).map { Raised(patterns: $0.patterns, subject: "the new tracker") }
      + plan.sinks.filter { $0.sink.side == .new && $0.gainsUnits }
      .map { Raised(patterns: $0.patterns, subject: "the sink `\($0.sink.id)`") }
  }

  private func verdict(on event: EventParity) -> ParityVerdict { gate.raiseVerdict(on: event) }

  private func finding(
    _ event: EventParity, _ raised: Raised, file: String, reportFile: String
  ) -> DocumentDiagnostic? {
    let verdict = verdict(on: event)
    if verdict == .passes { return nil }
    return DocumentDiagnostic(
      .error, .advancesWithoutParity,
      "`\(event.name)` would go to more units of \(raised.subject), but \(words(verdict, event))", file: file,
      notes: ["measured in \(reportFile); an event name passes if \(gate)"] + event.placings, help: help(verdict, event)
    )
  }

  private func words(_ verdict: ParityVerdict, _ event: EventParity) -> String {
    let summary = gate.summary(of: event, verdict)
    if event.uncompared > 0, verdict == .nothingJudged {
      return "\(event.uncompared.counted("pair")) of it were not compared"
    }
    if case .tooLittleEvidence = verdict { return "there is \(summary)" }
    return summary
  }

  private func help(_ verdict: ParityVerdict, _ event: EventParity) -> String {
    switch verdict {
    case _ where event.uncompared > 0 && event.conflicting > 0:
      "find what gives one id to two events, and compare again"
    case _ where event.uncompared > 0: "give the console a table, and room for payloads, so that all pairs are compared"
    case .nothingJudged: "send it to both sinks for some units first, and compare"
    case .eventsCounted: GateOptions.eventsHelp
    case .tooLittleEvidence: "record longer, and compare again; --max-failing 0% requires only that no failure is seen"
    case .passes, .tooManyFailures:
      event.differing > 0
        ? "correct its rows in the remapping table, and compare again"
        : "find the cause of the losses, or compare with --rollout if it belongs in one stream only"
    }
  }

  private func unmeasured(
    _ raised: [Raised], file: String, reportFile: String
  ) -> [DocumentDiagnostic] {
    let known = Set(report.events.map(\.name))
    var subjects: [String: String] = [:]
    for group in raised {
      let names = group.patterns.compactMap { pattern in
        if case .exact(let name) = pattern, !known.contains(name) { return name }
        return nil
      }
      let isUnknown = group.patterns.contains { $0.isPrefix } && !report.events.contains { isIn(group, $0.name) }
      let patterns = isUnknown ? [group.patterns.map(\.description).sorted().joined(separator: ", ")] : []
      for events in names + patterns where subjects[events] == nil { subjects[events] = group.subject }
    }
    return subjects.sorted { $0.key < $1.key }.map { events, subject in
      DocumentDiagnostic(
        .error, .advancesWithoutParity,
        "`\(events)` would go to more units of \(subject), but \(reportFile) has no such event", file: file,
        help: "send it to both sinks for some units first, and compare")
    }
  }

  /// The findings about the whole report.
  private func findingsOnReport(_ file: String) -> [DocumentDiagnostic] {
    var findings: [DocumentDiagnostic] = []
    let malformed = report.old.malformed + report.new.malformed
    if malformed > gate.maximumMalformed {
      findings.append(
        DocumentDiagnostic(
          .error, .brokenLines, "\(malformed.grouped) of the compared lines could not be read as events", file: file,
          notes: ["these lines were not compared; \(gate.allowance)"],
          help: "find out what broke them, or allow that many: --max-malformed"))
    }
    let total = report.total
    if total.contradicting > 0 {
      findings.append(
        DocumentDiagnostic(
          .error, .contradictsRollout,
          "\(total.contradicting.counted("event")) carry a decision that their app cannot have made", file: file,
          help: "find the apps whose decisions differ from the document, before more units follow it"))
    }
    if total.conflicting > 0 {
      findings.append(
        DocumentDiagnostic(
          .error, .conflictingRepeats, "\(total.conflicting.counted("repeated line")) with another name or payload",
          file: file, help: "find what gives one id to two events, and compare again"))
    }
    switch report.membership {
    case .oneSidedAllowed where total[.byNothing] > 0:
      findings.append(
        DocumentDiagnostic(
          .warning, .lossNotJudged, "loss was not judged: \(report.membership)", file: file,
          help: "let both streams carry the adapter's decisions, or compare with --rollout"))
    case .rollout(let measured, _) where !measured.contains(revision):
      findings.append(
        DocumentDiagnostic(
          .warning, .measuredElsewhere,
          "the report was not made with revision \(revision), which is in force", file: file,
          help: "compare recordings from the time of the document in force, with that document"))
    case .rollout, .everywhere, .oneSidedAllowed: break
    }
    return findings
  }

  private func isIn(_ group: Raised, _ name: String) -> Bool {
    let closest = patterns.filter { $0.matches(name) }.max { $0.closeness < $1.closeness }
    return group.patterns.contains { pattern in closest.map { $0 == pattern } ?? (pattern == .prefix("")) }
  }
}

extension RolloutPlan.Events {
  /// Whether units, or events without one, gain the new tracker. Units that rules name do not count: they try an event
  /// out before there is anything to compare.
  fileprivate var raisesNewTracker: Bool {
    changes.contains { change in
      let moves = change.transitions.map(SinkMove.init) + [SinkMove(change.withoutUnit)]
      return moves.contains { !$0.from.includesNewTracker && $0.to.includesNewTracker }
    }
  }
}

extension RolloutPlan.SinkEvents {
  /// Whether units, or events without one, gain the sink. Units that rules name do not count.
  fileprivate var gainsUnits: Bool {
    changes.contains { $0.gains.share > .none || ($0.withoutUnit.isChange && $0.withoutUnit.after) }
  }
}

extension EventPattern {
  fileprivate var isPrefix: Bool {
    if case .prefix = self { return true }
    return false
  }

  /// Longer patterns are closer to a name; a whole name is closer than a prefix of the same length.
  fileprivate var closeness: Int {
    switch self {
    case .exact(let text): 2 * text.utf8.count + 1
    case .prefix(let text): 2 * text.utf8.count
    }
  }
}

// MARK: - Gate options

/// The options that set how much may fail parity, and with what confidence.
package struct GateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The largest share of each event name that may fail, such as 0.1%; 0% requires only that no failure is seen \
      (default: 0% for `parity`, 0.1% for `console` and `plan --parity`).
      """,
      valueName: "share"),
    transform: { text in
      guard let limit = FailingLimit(text) else {
        throw ValidationError("`\(text)` is not a share such as 0.1% or 0.001")
      }
      return limit
    })
  var maxFailing: FailingLimit?
  @Option(
    help: ArgumentHelp("The number of times that a growing recording is checked until it passes.", valueName: "count"))
  var looks = 1
  @Option(help: ArgumentHelp("The number of broken lines allowed in both streams together.", valueName: "count"))
  var maxMalformed = 0
  @Flag(help: "Above 0%: count events where they do not name their units, as if none failed because of another.")
  var countEvents = false

  static let eventsHelp =
    "name the unit: `unitID` of old lines, or --unit-key; or accept events as the sample: --count-events"

  func validate() throws {
    guard (1...1_000_000).contains(looks) else { throw ValidationError("--looks must be at least 1") }
    guard maxMalformed >= 0 else { throw ValidationError("--max-malformed must not be negative") }
  }

  /// - Parameter limit: the limit without `--max-failing`.
  package func gate(otherwise limit: FailingLimit) -> ParityGate {
    ParityGate(
      limit: maxFailing ?? limit, looks: looks, maximumMalformed: maxMalformed, countsEvents: countEvents)
  }
}
