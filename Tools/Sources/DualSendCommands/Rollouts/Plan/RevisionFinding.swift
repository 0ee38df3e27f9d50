package import DualSendCore
package import DualSendRollout

extension RevisionStep {
  /// What apps object to in the new document's revision; `nil` if they take the document, or have it already.
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
