@testable import DualSendCore
@testable import DualSendRollout
@testable import DualSendRolloutAnalysis

extension FuzzTarget {
  /// Rollout documents: what an app accepts decides and explains; what the tools accept is proved and planned, within the
  /// proof's budget.
  ///
  /// The first part is the document, the second one the document that it is compared with; without one it is a small
  /// document with another salt.
  static let rollout = FuzzTarget(name: "rollout", mutation: .json) { input in
    if let document = try? RolloutDocument(reading: input.part(0)) { decide(document, at: nil) }
    let documents = [input.part(0), input.part(1)].compactMap { bytes in
      bytes.isEmpty ? nil : accepted(bytes)
    }
    guard let document = documents.first else { return }
    let times = [nil] + document.changeTimes.prefix(3).map(Optional.some)
    for time in times {
      decide(document, at: time)
      if let coverage = try? RolloutCoverage(of: document, at: time) { check(coverage, of: document) }
    }
    for finding in (try? document.audit()) ?? [] { _ = finding.description }
    guard let other = documents.dropFirst().first ?? accepted(Array(otherDocument.utf8)) else { return }
    for (before, after) in [(document, other), (other, document), (document, document)] {
      let plans = (try? RolloutPlan.steps(from: before, to: after)) ?? []
      for plan in plans {
        precondition(plan.events.isEmpty || plan.before != plan.after || before.revision == after.revision)
      }
      let isKill = plans.first.map { $0.evictsUnits || $0.leavesUnitsWithoutSink || !$0.evictingSinks.isEmpty } ?? false
      let mayBeKill = KillCheck.mayBeKill(from: RolloutSnapshot(before), to: RolloutSnapshot(after))
      precondition(mayBeKill || !isKill, "a kill waits for its activation")
    }
  }

  private static let otherDocument = """
    {"formatVersion":1,"revision":2,"salt":"other","shouldSendLogToNewTracker":5,"rules":[{"match":{"events":["home.*"],\
    "appVersion":">=25.4.10","platform":["iOS"]},"shouldSendLogToNewTracker":25}]}
    """

  /// The document if it is accepted. One that is refused says why, and every place lies in the text.
  private static func accepted(_ bytes: [UInt8]) -> RolloutDocument? {
    do {
      let document = try RolloutDocument(proving: bytes, name: "input")
      precondition(document.warnings.allSatisfy { $0.severity == .warning }, "accepted with an error")
      return document
    } catch {
      precondition(error.diagnostics.contains { $0.severity == .error }, "refused without an error")
      _ = error.description
      return nil
    }
  }

  private static func decide(_ document: RolloutDocument, at time: Int64?) {
    let snapshot = RolloutSnapshot(document, at: time)
    let mayRetire = document.allowNeither || document.rules.contains(where: \.allowNeither)
    var names = ["", "home.tap", "unheard of"]
    var contexts = [
      DecisionContext(), DecisionContext(unitID: "unit-1", appVersion: DecisionContext.AppVersion("25.4.10")),
    ]
    for rule in document.rules.prefix(20) {
      let match = rule.match
      names += (match.events ?? []).prefix(2).map(\.description)
      var context = DecisionContext(unitID: "unit-2")
      for condition in match.conditions {
        switch condition.test {
        case .version(let versions): context.appVersion = versions.comparisons.first?.version
        case .anyOf(let texts): context[condition.key] = texts.first
        }
      }
      contexts.append(context)
    }
    for context in contexts {
      let subject = snapshot.subject(context)
      for name in names {
        let decision = snapshot.decision(for: name, subject: subject)
        precondition(decision == snapshot.decision(for: name, context: context), "a subject is decided otherwise")
        precondition(mayRetire || decision.outcome != .neither, "an event has no sink, and nothing allows that")
        _ = snapshot.explanation(of: decision).description
        for sink in document.sinks.prefix(3).map(\.sink) {
          let receives = snapshot.receives(
            sink.id, on: sink.side, event: name, subject: subject, decision: decision)
          precondition(!receives || decision.outcome.includes(sink.side), "a sink exceeds its side")
          precondition(
            receives == snapshot.receives(sink.id, on: sink.side, event: name, context: context),
            "a subject's sink is decided otherwise")
          _ = snapshot.explanation(of: sink.id, on: sink.side, event: name, context: context).description
        }
      }
    }
  }

  private static func check(_ coverage: RolloutCoverage, of document: RolloutDocument) {
    let mayRetire = document.allowNeither || document.rules.contains(where: \.allowNeither)
    for cell in coverage.events.flatMap(\.cells) {
      guard case .everyone(let intervals, _) = cell.population else { continue }
      let buckets = SinkDecision.Outcome.allCases.reduce(0) { $0 + intervals.buckets(of: $1).count }
      precondition(buckets == RolloutBucket.count, "the outcomes do not add up to everybody")
      precondition(mayRetire || intervals.buckets(of: .neither).isEmpty, "accepted, and somebody has no sink")
    }
  }
}
