package import DualSendCore
package import DualSendRollout

/// Proves that every possible unit has a sink for every event, at every step of every schedule.
struct NeitherCheck {
  private let document: RolloutDocument
  private var budget: ProofBudget
  private var units: UnitFinder
  private var findings: [DocumentDiagnostic] = []
  /// The pairs of places with a finding. Each pair gets one, for all events and steps.
  private var reported: [FlagPlaces] = []

  /// One finding for each pair of places that leaves units without a sink.
  static func findings(in document: RolloutDocument, budget: ProofBudget = ProofBudget()) -> [DocumentDiagnostic] {
    var check = NeitherCheck(document, budget)
    do {
      for time in document.provedTimes where check.findings.count <= DocumentReader.maximumFindings {
        try check.check(EvaluatedRollout(document, at: time))
      }
    } catch {
      check.findings.append(document.tooManyRules)
    }
    return check.findings
  }

  private init(_ document: RolloutDocument, _ budget: ProofBudget) {
    self.document = document
    self.budget = budget
    units = UnitFinder(bucketing: RolloutBucketing(salt: document.salt))
  }

  private mutating func check(_ side: EvaluatedRollout) throws(ProofBudget.Exhausted) {
    try budget.spend(compiling: side)
    guard side.rollout.mayLeaveNeither else { return }
    let partition = RolloutPartition([side])
    for events in partition.events where side.rollout.mayLeaveNeither(events.candidates) {
      for cell in try partition.cells(of: events, budget: &budget) {
        let places = partition.places(cell)
        let gap = OutcomeIntervals(side.rollout.shares(places)).buckets(of: .neither)
        guard !gap.isEmpty, !side.allowsNeither(places), !reported.contains(places) else { continue }
        let decisions = CellDecisions(side, event: events.example, in: cell)
        let example = units.context(of: cell, in: gap) { decisions.decision(ofUnit: $0).oldLoggerReason == .noSink }
        guard let example else { continue }
        reported.append(places)
        guard findings.count < DocumentReader.maximumFindings else {
          let message = "and more events that would reach neither sink"
          return findings.append(document.finding(.error, .moreFindings, message, at: .topLevel))
        }
        report(places, in: side, events: events, example: example)
      }
    }
  }

  private mutating func report(
    _ places: FlagPlaces, in side: EvaluatedRollout, events: RolloutPartition.Events, example: DecisionContext
  ) {
    let shares = side.rollout.shares(places)
    let old = RolloutPercentage(thousandths: shares.oldLogger) ?? .none
    let new = RolloutPercentage(thousandths: shares.newTracker) ?? .none
    var notes = [
      "the old logger keeps \(old) (\(document.name(of: places.oldLogger))), the new tracker has \(new) "
        + "(\(document.name(of: places.newTracker))): buckets \(shares.newThreshold)..<\(shares.oldThreshold) are left out",
      "for example " + side.snapshot.description(of: example),
    ]
    if let time = side.time { notes.append("from \(Timestamp.text(milliseconds: time)) on") }
    let isOldLoggerToBlame = places.newTracker == .topLevel || places.oldLogger != .topLevel
    findings.append(
      document.finding(
        .error, .neitherSink, "\(document.words(for: events)) would reach neither sink for some units",
        at: isOldLoggerToBlame ? places.oldLogger : places.newTracker,
        flag: isOldLoggerToBlame ? .oldLogger : .newTracker, notes: notes,
        help: "let the two add up to 100 % or more, or say `\"allowNeither\": true` to retire the event on purpose"))
  }
}

extension RolloutDocument {
  /// The term that messages use for events: a name of the document, else a pattern, else all events that no rule names.
  fileprivate func words(for events: RolloutPartition.Events) -> String {
    let patterns = events.atoms.map(\.pattern)
    for case .exact(let name) in patterns { return "`\(name)`" }
    for case .prefix(let stem) in patterns where !stem.isEmpty { return "events of `\(stem)*`" }
    return rules.contains { $0.match.events != nil } ? "events that no rule names" : "events"
  }
}

extension CompiledRollout {
  /// Whether the lowest shares of all rules and the top level leave a gap between old and new.
  var mayLeaveNeither: Bool {
    mayLeaveNeither(document.rules.indices)
  }

  /// Whether the lowest shares that these rules or the top level set leave a gap. A fast bound before the exact search.
  func mayLeaveNeither(_ candidates: some Sequence<Int>) -> Bool {
    let topLevel = shares(FlagPlaces())
    var (old, new) = (topLevel.oldLogger, topLevel.newTracker)
    for rule in candidates {
      let shares = shares(FlagPlaces(oldLogger: .rule(rule), newTracker: .rule(rule)))
      if shares.oldLogger >= 0 { old = min(old, shares.oldLogger) }
      if shares.newTracker >= 0 { new = min(new, shares.newTracker) }
    }
    return old + new < RolloutBucket.count
  }
}

extension RolloutSnapshot {
  /// Describes a context: ``unit `u`, bucket 4711, platform iOS``.
  func description(of context: DecisionContext) -> String {
    let unit = context.unitID.map { id in
      "unit `\(id)`" + (bucket(of: id).map { ", bucket \($0.index)" } ?? "")
    }
    return ([unit ?? "no unit", context.description]).filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

extension RolloutDocument {
  /// Reads a document and proves that every unit has a sink for every event, unless `allowNeither` permits otherwise.
  ///
  /// What the tools publish or explain is read this way. An app reads a document without a proof, and gives the events
  /// concerned to the old logger.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - name: the document's name in diagnostics, usually that of its file.
  /// - Throws: ``DocumentError`` with all errors of the document.
  package init(proving bytes: some Sequence<UInt8>, name: String? = nil) throws(DocumentError) {
    self = try RolloutDocument(reading: bytes, name: name)
    let findings = NeitherCheck.findings(in: self)
    guard findings.isEmpty else { throw DocumentError((warnings + findings).sorted()) }
  }
}
