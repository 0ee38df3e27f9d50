package import DualSendCore
package import DualSendRollout

/// Finds rules without effect, at every step of every schedule.
struct RuleAudit {
  private let document: RolloutDocument
  /// The flags that each rule decides for some event and context.
  private var decided: [FlagSet]
  /// The sinks that each rule decides about for some event and context.
  private var decidedSinks: [Set<RolloutSink>]
  /// The places whose `allowNeither` has an effect.
  private var retiring: Set<FlagPlace> = []

  static func findings(in document: RolloutDocument) throws(ProofBudget.Exhausted) -> [DocumentDiagnostic] {
    var audit = RuleAudit(document)
    var budget = ProofBudget()
    for time in document.provedTimes {
      let side = EvaluatedRollout(document, at: time)
      try budget.spend(compiling: side)
      let partition = RolloutPartition([side])
      for events in partition.events {
        for cell in try partition.cells(of: events, budget: &budget) {
          audit.note(cell, partition.places(cell), side)
        }
      }
      for sink in EvaluatedRollout.sinks(of: [side]) { try audit.note(sink, in: side, budget: &budget) }
    }
    return audit.findings
  }

  private init(_ document: RolloutDocument) {
    self.document = document
    decided = document.rules.map { _ in [] }
    decidedSinks = document.rules.map { _ in [] }
  }

  private mutating func note(
    _ sink: RolloutSink, in side: EvaluatedRollout, budget: inout ProofBudget
  ) throws(ProofBudget.Exhausted) {
    try budget.spend(compiling: side)
    let partition = RolloutPartition([side], sink: sink)
    for events in partition.events {
      for cell in try partition.cells(of: events, budget: &budget) {
        if case .rule(let rule) = partition.sinkPlace(cell) { decidedSinks[rule].insert(sink) }
      }
    }
  }

  private mutating func note(_ cell: ContextCell, _ places: FlagPlaces, _ side: EvaluatedRollout) {
    for (rule, flags) in cell.deciding { decided[rule].formUnion(flags) }
    guard !OutcomeIntervals(side.rollout.shares(places)).buckets(of: .neither).isEmpty else { return }
    retiring.formUnion([places.oldLogger, places.newTracker])
  }

  private var findings: [DocumentDiagnostic] {
    var findings: [DocumentDiagnostic] = []
    for (index, rule) in document.rules.enumerated() {
      let place = FlagPlace.rule(index)
      let set = rule.flags
      if set.isEmpty, rule.sinks.isEmpty { continue }
      if let condition = rule.match.appVersion, !rule.match.hasPossibleVersion {
        findings.append(
          document.finding(
            .warning, .ruleNeverMatches, "no version fulfils `\(condition)`, so the rule never matches", at: place,
            help: "correct the condition, or remove the rule"))
        continue
      }
      if decided[index].isEmpty, decidedSinks[index].isEmpty {
        findings.append(
          document.finding(
            .warning, .ruleNeverDecides, "the rule never decides anything: earlier rules always do", at: place,
            help: "move it up, or remove it"))
        continue
      }
      for (flag, key) in FlagSet.keys where set.contains(flag) && !decided[index].contains(flag) {
        findings.append(
          document.finding(
            .warning, .flagNeverDecides, "the rule's `\(key)` never decides: earlier rules always do", at: place,
            flag: flag, help: "move the rule up, or remove the flag"))
      }
      for share in rule.sinks where !decidedSinks[index].contains(share.sink) {
        findings.append(
          document.finding(
            .warning, .flagNeverDecides, "the rule's `\(share.sink.key)` never decides: earlier rules always do",
            at: place, sink: share, help: "move the rule up, or remove the sink"))
      }
    }
    let allowing = [FlagPlace.topLevel] + document.rules.indices.map(FlagPlace.rule)
    for place in allowing where document.allowsNeither(at: place) && !retiring.contains(place) {
      findings.append(
        document.finding(
          .warning, .needlessAllowNeither, "`allowNeither` has no effect here: every unit has a sink", at: place,
          help: "remove it, so that a later mistake is not hidden by it"))
    }
    return findings
  }
}

extension RolloutDocument {
  /// The ``warnings`` of reading and those of rules without effect, except those that the document silences.
  ///
  /// - Throws: ``DocumentError`` if the rules distinguish too many cases.
  package func audit() throws(DocumentError) -> [DocumentDiagnostic] {
    do {
      let findings = try RuleAudit.findings(in: self).filter { finding in
        !allowances.contains { $0.covers(finding) }
      }
      return (warnings + findings).sorted()
    } catch {
      throw DocumentError([tooManyRules])
    }
  }
}

extension RolloutRule {
  fileprivate var flags: FlagSet {
    var flags: FlagSet = []
    if shouldSendLogToOldLogger != nil { flags.insert(.oldLogger) }
    if shouldSendLogToNewTracker != nil { flags.insert(.newTracker) }
    return flags
  }
}

extension FlagSet {
  fileprivate static let keys: [(flag: FlagSet, key: String)] = [
    (.oldLogger, "shouldSendLogToOldLogger"), (.newTracker, "shouldSendLogToNewTracker"),
  ]
}
