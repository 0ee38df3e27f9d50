package import DualSendCore
import DualSendRollout

/// What a plan does to somebody, or to an app's trust in it, and a command lets pass only when it is told to.
package struct PlanObjection {
  /// What has to be allowed.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Units lose the new tracker, or a sink of its side.
    case evictions
    /// Units are left without a sink.
    case neither
    /// Every unit gets another bucket.
    case reshuffle
    /// New is raised for events whose parity is not shown to be good enough.
    case parity
  }

  package let kind: Kind
  package let finding: DocumentDiagnostic

  package init(kind: Kind, finding: DocumentDiagnostic) {
    (self.kind, self.finding) = (kind, finding)
  }
}

extension PlanReport {
  /// The reasons not to put the new document in force, those that are allowed left out.
  ///
  /// - Parameter file: what findings call the new document.
  package func objections(file: String, allowing allowed: Set<PlanObjection.Kind>) -> [PlanObjection] {
    var findings: [PlanObjection] = []
    func object(_ kind: PlanObjection.Kind, _ code: DocumentDiagnostic.Code, _ message: String, help: String) {
      if allowed.contains(kind) { return }
      let finding = DocumentDiagnostic(.error, code, message, file: file, help: help)
      findings.append(PlanObjection(kind: kind, finding: finding))
    }
    if evictsUnits {
      object(
        .evictions, .eviction, "units that have the new tracker would lose it",
        help: (isReshuffle ? "keep the salt" : "keep the percentages where they are")
          + ", or pass --allow-evictions to roll back")
    }
    for sink in evictingSinks {
      object(
        .evictions, .eviction, "units that have the sink `\(sink.id)` would lose it",
        help: (isReshuffle ? "keep the salt" : "keep its share and that of new where they are")
          + ", or pass --allow-evictions to roll back, or if no app has the sink yet")
    }
    if leavesUnitsWithoutSink {
      object(
        .neither, .sinkLoss, "units that have a sink would be left with none",
        help: "pass --allow-neither if these events are retired on purpose")
    }
    return findings
  }
}

extension RolloutRollback {
  /// The reasons not to go back, those that are allowed left out. To lose the new tracker is what a rollback is for.
  package func objections(_ plan: PlanReport, allowing allowed: Set<PlanObjection.Kind>) -> [PlanObjection] {
    var findings: [PlanObjection] = []
    if isReshuffle, !allowed.contains(.reshuffle) {
      let finding = DocumentDiagnostic(
        .error, .reshuffle, "the salt is not the one in force, so every unit would get another bucket",
        file: result.name, path: EventPath([.key("salt")]),
        help: "keep the salt in force and go back by hand, or pass --allow-reshuffle")
      findings.append(PlanObjection(kind: .reshuffle, finding: finding))
    }
    return findings + plan.objections(file: result.name, allowing: allowed.union([.evictions]))
  }
}
