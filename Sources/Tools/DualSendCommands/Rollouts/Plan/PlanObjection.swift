package import DualSendCore
package import DualSendRollout

/// A reason to refuse a plan, unless the user allows it.
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
    /// Events that a kill stopped would go to the new side again.
    case kill
  }

  package let kind: Kind
  package let finding: DocumentDiagnostic

  package init(kind: Kind, finding: DocumentDiagnostic) {
    (self.kind, self.finding) = (kind, finding)
  }
}

extension PlanReport {
  /// The reasons to refuse the new document, except those that are allowed.
  ///
  /// - Parameter file: the new document's name in findings.
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

extension RevisionStep {
  /// The reason why apps refuse the new document's revision; `nil` if they accept the document, or already have it.
  package func finding(from known: RolloutDocument, to document: RolloutDocument, file: String) -> DocumentDiagnostic? {
    let message: String
    switch self {
    case .rises, .saysTheSame: return nil
    case .conflicts: message = "the revision stays \(known.revision), and the documents differ"
    case .falls: message = "the revision falls from \(known.revision) to \(document.revision)"
    }
    return DocumentDiagnostic(
      .error, .revisionNotRaised, message, file: file, position: document.revisionPosition,
      path: EventPath([.key("revision")]),
      notes: ["apps that have revision \(known.revision) refuse this document and keep theirs"], help: help(known))
  }

  private func help(_ known: RolloutDocument) -> String {
    let next = known.revision.addingReportingOverflow(1)
    let count = next.overflow ? "no higher revision exists" : "count it up to \(next.partialValue)"
    return self == .falls ? count + "; `dualsend rollback` does that for an older document" : count
  }
}
