import DualSend
@_spi(Tools) import DualSendCore
import DualSendParity
@_spi(Tools) import DualSendRollout
@_spi(Tools) import DualSendRolloutAnalysis

/// Holds an edit of the rollout against what a comparison of the two streams measured: the new tracker may get more of
/// an event only if what it has got so far is right.
struct ParityGate {
  private let report: ParityReport
  private let limit: MismatchLimit
  /// Every pattern of both documents; the closest one to a name decides which group of the plan it belongs to.
  private let patterns: [EventPattern]

  init(report: ParityReport, limit: MismatchLimit, documents: [RolloutDocument]) {
    self.report = report
    self.limit = limit
    patterns = documents.flatMap { document in document.rules.flatMap { $0.match.events ?? [] } }
  }

  /// One error for each event that the plan would send to more units although its parity is worse than allowed.
  func findings(_ steps: [RolloutPlan], file: String, reportFile: String) -> [DocumentDiagnostic] {
    let advanced = report.events.filter { event in steps.contains { raisesNewTracker($0, of: event.name) } }
    return advanced.filter { $0.exceeds(limit) }.map { event in
      let measured =
        event.pairs == 0
        ? "no pair of it was compared"
        : "\(event.mismatches.grouped) of \(event.pairs.grouped) pairs differ"
      return DocumentDiagnostic(
        .error, .advancesWithoutParity, "`\(event.name)` would go to more units of the new tracker, but \(measured)",
        file: file, notes: ["measured in \(reportFile); at most \(limit) may differ"],
        help: event.pairs == 0
          ? "send it to both sinks for some units first, and compare"
          : "correct its rows in the remapping table, and compare again")
    }
  }

  private func raisesNewTracker(_ plan: RolloutPlan, of name: String) -> Bool {
    let closest = patterns.filter { $0.matches(name) }.max { $0.closeness < $1.closeness }
    let group = plan.events.first { group in
      group.patterns.contains { pattern in closest.map { $0 == pattern } ?? (pattern == .prefix("")) }
    }
    guard let group else { return false }
    return group.changes.contains { change in
      change.transitions.contains { !$0.from.includesNewTracker && $0.to.includesNewTracker }
    }
  }
}

extension EventPattern {
  /// Longer patterns are closer to a name; a whole name is closer than a prefix of the same length.
  fileprivate var closeness: Int {
    switch self {
    case .exact(let text): 2 * text.utf8.count + 1
    case .prefix(let text): 2 * text.utf8.count
    }
  }
}
