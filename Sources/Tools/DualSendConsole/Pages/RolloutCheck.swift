import DualSend
import DualSendCommands
import DualSendCore
import DualSendParity
import DualSendRollout
import DualSendRolloutAnalysis

/// The check of a rollout's text while it is edited: diagnostics, plan, parity and populations.
struct RolloutCheck {
  /// The live text to compare with.
  typealias Live = (bytes: [UInt8], name: String)

  /// The most units that rules name which are listed for a group.
  private static let namedUnits = 20

  private let text: String
  private let live: Live?
  private let parity: ParityReport?
  private let gate: ParityGate
  private let now: Int64

  /// - Parameters:
  ///   - live: `nil` if there is no live document, or it is refused.
  ///   - parity: the comparison so far; `nil` if there is none.
  ///   - now: the time at which schedules are evaluated, in milliseconds since 1970-01-01T00:00:00Z.
  init(_ text: String, against live: Live?, parity: ParityReport?, gate: ParityGate, now: Int64) {
    (self.text, self.live, self.parity, self.gate, self.now) = (text, live, parity, gate, now)
  }

  var json: EventValue {
    var members: [String: EventValue] = [
      "revision": .null, "groups": [], "plan": .null, "gate": .null, "unreachable": [],
      "flags": (try? RolloutFlags(text))?.json ?? [],
      "difference": live.map { LineDifference(from: String(decoding: $0.bytes, as: UTF8.self), to: text).json } ?? [],
    ]
    let bytes = Array(text.utf8)
    var findings: [DocumentDiagnostic]
    do {
      let document = try RolloutDocument(proving: bytes, name: name)
      findings = try document.everyFinding(in: bytes, name: name)
      members["revision"] = .int(document.revision)
      members["groups"] = try groups(of: document)
      members["unreachable"] = .array(findings.filter(\.isAboutIdleRule).map(\.idleRule))
      if let live, let current = try? RolloutDocument(reading: live.bytes, name: live.name) {
        let steps = try RolloutPlan.steps(from: current, to: document, now: now)
        let step = RevisionStep(from: current, live.bytes, to: document, bytes)
        if step == .falls { findings += [step.finding(from: current, to: document, file: name)].compactMap { $0 } }
        members["plan"] =
          RolloutPlanView(
            PlanReport(before: live.name, after: name, steps: steps, saysTheSame: step == .saysTheSame), steps
          ).json
        members["gate"] = gate(steps, from: current, to: document)
      }
    } catch {
      findings = error.diagnostics
    }
    members["diagnostics"] = PlacedDiagnostics(in: text).json(findings)
    return .object(members)
  }

  private var name: String { "the text" }

  // MARK: Populations

  private func groups(of document: RolloutDocument) throws(DocumentError) -> EventValue {
    let coverage = try RolloutCoverage(of: document, at: document.changeTimes.isEmpty ? nil : now)
    return .array(
      coverage.events.flatMap { group in
        let cells = Dictionary(grouping: group.cells, by: \.namedUnits).mapValues(\.count)
        return group.cells.map { cell -> EventValue in
          var members: [String: EventValue] = ["events": .array(group.patterns.map { .string($0.description) })]
          switch cell.population {
          case .everyone(let intervals, let withoutUnit):
            let outcomes = SinkDecision.Outcome.allCases.filter { !intervals.buckets(of: $0).isEmpty }
            members["outcomes"] = .array(
              outcomes.map { ["outcome": .string($0.rawValue), "share": intervals.share(of: $0).json] })
            members["withoutUnit"] = .string(withoutUnit.rawValue)
          case .named(let units):
            members["units"] = .array(
              units.prefix(Self.namedUnits).map {
                ["unit": .string($0.id), "outcome": .string($0.outcome.rawValue)]
              })
            members["unitCount"] = .int(Int64(units.count))
          }
          let words = cells[cell.namedUnits] == 1 ? "" : cell.words
          if !words.isEmpty { members["condition"] = .string(cell.wordsAreComplete ? words : "such as \(words)") }
          return .object(members)
        }
      })
  }

  // MARK: Parity

  /// The numbers of each event whose share of the new tracker rises; null if no event has arrived.
  func gate(_ steps: [RolloutPlan], from current: RolloutDocument, to document: RolloutDocument) -> EventValue {
    guard let parity else { return .null }
    let advance = AdvanceGate(report: parity, gate: gate, from: current, to: document)
    let advanced = advance.advanced(by: steps)
    let objections = advance.findings(steps, file: name, reportFile: ParityPage.name).filter { $0.severity == .error }
    return [
      "limit": .double(gate.limit.fraction), "allowed": .bool(objections.isEmpty),
      "objections": .array(objections.map { .string($0.message) }),
      "events": .array(
        advanced.map { event, verdict in
          [
            "name": .string(event.name), "pairs": .int(Int64(event.pairs)), "failing": .int(Int64(event.failing)),
            "bound": gate.boundJSON(event.failing, of: event.judged),
            "verdict": .string(verdict.pageWord), "summary": .string(gate.summary(of: event, verdict)),
            "fromPercent": current.newShare(of: event.name, now: now),
            "toPercent": document.newShare(of: event.name, now: now),
          ]
        }),
    ]
  }
}

extension RolloutDocument {
  /// The share of units without a context that have the new tracker for an event.
  func newShare(of event: String, now: Int64) -> EventValue {
    let snapshot = RolloutSnapshot(self, at: now)
    guard let intervals = snapshot.expectation(for: event, context: DecisionContext(unitID: nil)) else { return .null }
    let thousandths = intervals.share(of: .both).thousandths + intervals.share(of: .newOnly).thousandths
    return RolloutPercentage(thousandths: thousandths)?.json ?? .null
  }
}

extension ParityVerdict {
  /// The verdict's name in the API.
  var pageWord: String {
    switch self {
    case .passes: "allowed"
    case .tooManyFailures: "refused"
    case .tooLittleEvidence, .eventsCounted: "tooFew"
    case .nothingJudged: "uncompared"
    }
  }
}

extension RolloutCoverage.Cell {
  /// The units that rules name, of which the cell is; none for all other units.
  fileprivate var namedUnits: [String] {
    if case .named(let units) = population { units.map(\.id) } else { [] }
  }
}

extension DocumentDiagnostic {
  fileprivate var isAboutIdleRule: Bool {
    [.ruleNeverMatches, .ruleNeverDecides, .flagNeverDecides, .ruleWithoutFlag].contains(code)
  }

  fileprivate var idleRule: EventValue {
    [
      "line": position.map { .int(Int64($0.line)) } ?? .null,
      "column": position.map { .int(Int64($0.column)) } ?? .null,
      "place": .string(printablePath ?? ""), "why": .string(message),
    ]
  }
}

// MARK: - Rollout plan view

/// A plan for the page: one entry per move, as in `dualsend plan`.
struct RolloutPlanView {
  private let report: PlanReport
  private let steps: [RolloutPlan]

  init(_ report: PlanReport, _ steps: [RolloutPlan]) {
    (self.report, self.steps) = (report, steps)
  }

  var json: EventValue {
    let objections = report.objections(file: "", allowing: [])
    return [
      "moves": .array(steps.flatMap(moves)), "evicted": .bool(!report.evictingSinks.isEmpty || report.evictsUnits),
      "withoutSink": .bool(report.leavesUnitsWithoutSink), "isReshuffle": .bool(report.isReshuffle),
      "changesAnything": .bool(report.changesAnything),
      "needs": .array(Set(objections.map(\.kind.rawValue)).sorted().map { .string($0) }),
      "summary": .string(report.text.split(separator: "\n").last.map(String.init) ?? ""),
      "text": .string(report.text),
    ]
  }

  private func moves(of plan: RolloutPlan) -> [EventValue] {
    plan.events.flatMap { group -> [EventValue] in
      let changes = group.changes.flatMap { change -> [EventValue] in
        let decidedBy = change.after.decidedBy
        return change.transitions.map { (SinkMove($0), $0.share.json, $0.example) }
          .filter { $0.0.isChange }
          .map { move($0, of: group, share: $1, example: $2, decidedBy, at: plan.after.time) }
          + [SinkMove(change.withoutUnit)].filter(\.isChange)
          .map { move($0, of: group, share: .null, example: nil, decidedBy, at: plan.after.time) }
      }
      return changes
        + group.units.map {
          move(SinkMove($0.move), of: group, share: .null, example: $0.example, [], at: plan.after.time)
        }
    } + plan.sinks.flatMap { sinkMoves(of: $0, at: plan.after.time) }
  }

  private func move(
    _ move: SinkMove, of group: RolloutPlan.Events, share: EventValue, example: DecisionContext?, _ decidedBy: [String],
    at time: Int64?
  ) -> EventValue {
    [
      "from": .string(move.from.rawValue), "to": .string(move.to.rawValue), "share": share,
      "events": .array(group.patterns.map { .string($0.description) }),
      "exampleUnit": (example?.unitID).map { .string($0) } ?? .null, "example": example?.json ?? .null,
      "evicts": .bool(move.from.includesNewTracker && !move.to.includesNewTracker),
      "loses": .bool(move.from.includesOldLogger && !move.to.includesOldLogger),
      "withoutSink": .bool(move.to == .neither && move.from != .neither),
      "decidedBy": .array(decidedBy.map { .string($0) }), "time": time.map { .int($0) } ?? .null,
    ]
  }

  /// The moves of a named sink.
  private func sinkMoves(of group: RolloutPlan.SinkEvents, at time: Int64?) -> [EventValue] {
    group.changes.flatMap { change in
      [(change.gains, false), (change.loses, true)].filter { $0.0.share > .none }.map { move, isLoss in
        [
          "sink": .string(group.sink.id), "from": .string(isLoss ? "on" : "off"), "to": .string(isLoss ? "off" : "on"),
          "share": move.share.json, "events": .array(group.patterns.map { .string($0.description) }),
          "exampleUnit": (move.example?.unitID).map { .string($0) } ?? .null, "example": move.example?.json ?? .null,
          "evicts": .bool(isLoss && group.sink.side == .new), "loses": .bool(isLoss && group.sink.side == .old),
          "withoutSink": false, "decidedBy": .array(change.after.decidedBy.map { .string($0) }),
          "time": time.map { .int($0) } ?? .null,
        ]
      }
    }
  }
}
