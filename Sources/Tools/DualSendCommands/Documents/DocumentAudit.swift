import DualSend
import DualSendCodeGeneration
package import DualSendCore
import DualSendDrafting
import DualSendGuard
import DualSendParity
import DualSendRemapping
import DualSendRollout
import DualSendRolloutAnalysis

/// The findings about a document that people edit: a rollout, a remapping table, a specification of events,
/// a normalisation file or a policy of `dualsend guard`.
package struct DocumentAudit {
  /// The documents that the tools know.
  enum Kind: String {
    case rollout
    case remapping
    case normalisation
    case specification
    case `guard`
    /// Of another tool.
    case plan

    /// Tells a document by its keys, and a specification in an array by those of its first event; `nil` if it has none
    /// that would.
    init?(of root: JSONNode) {
      if case .array(let events) = root.content, case .object(let members)? = events.first?.content,
        members.contains(where: { $0.key == "name" })
      {
        self = .specification
        return
      }
      if TrackingPlan.isPlan(root.eventValue) {
        self = .plan
        return
      }
      guard case .object(let members) = root.content else { return nil }
      let keys = Set(members.map(\.key))
      if !keys.isDisjoint(with: Self.rolloutKeys) {
        self = .rollout
      } else if keys.contains("events") {
        self = .remapping
      } else if keys.contains("specification") {
        self = .specification
      } else if keys.contains("steps") || keys.contains("bounds") {
        self = .guard
      } else if !keys.isDisjoint(with: Normalisation.keys) {
        self = .normalisation
      } else {
        return nil
      }
    }

    private static let rolloutKeys: Set = [
      "revision", "salt", "rules", "missingUnit", "shouldSendLogToOldLogger", "shouldSendLogToNewTracker", "sinks",
    ]
  }

  /// The kind of document; `nil` if it is unknown.
  let kind: Kind?
  /// Errors and warnings.
  package let findings: [DocumentDiagnostic]
  /// Whether the table can be undone; `nil` for another document, or a table that is refused.
  let inversion: InversionReport?
  /// The sinks that a rollout document names; `nil` if it names none, or is refused.
  let sinks: NamedSinks?

  /// Reads and checks a document.
  ///
  /// - Parameter name: the document's name in findings, usually a file name.
  package init(of bytes: [UInt8], name: String) {
    var kind: Kind?
    var inversion: InversionReport?
    var sinks: NamedSinks?
    do {
      kind = Kind(of: try DocumentReader(bytes, name: name).document.root)
      findings = try Self.findings(in: bytes, of: kind, name: name, &inversion, &sinks)
    } catch {
      findings = error.diagnostics
    }
    self.kind = kind
    self.inversion = inversion
    self.sinks = sinks
  }

  /// Checks a specification of events in Markdown: a folder, or one file of it.
  ///
  /// - Returns: `nil` if there is no Markdown.
  init?(ofMarkdownAt path: String) throws {
    guard try SpecificationInput.markdownFiles(at: path)?.isEmpty == false else { return nil }
    (kind, inversion, sinks) = (.specification, nil, nil)
    do {
      _ = try SpecificationInput.specification(at: path)
      findings = []
    } catch let error as DocumentError {
      findings = error.diagnostics
    }
  }

  private static func findings(
    in bytes: [UInt8], of kind: Kind?, name: String, _ inversion: inout InversionReport?, _ sinks: inout NamedSinks?
  ) throws(DocumentError) -> [DocumentDiagnostic] {
    switch kind {
    case .rollout:
      let document = try RolloutDocument(proving: bytes, name: name)
      sinks = try NamedSinks(of: document, name: name)
      return try document.everyFinding(in: bytes, name: name)
    case .remapping:
      let table = try RemappingTable(reading: bytes, name: name)
      inversion = InversionReport(of: table, name: name)
      return try table.warnings + TableLint.findings(in: bytes, name: name)
    case .normalisation:
      _ = try Normalisation(bytes, name: name)
      return []
    case .specification:
      _ = try EventSpecification(reading: bytes, name: name)
      return []
    case .guard:
      return try GuardPolicy(bytes, name: name).warnings
    case .plan:
      throw DocumentError([
        DocumentDiagnostic(
          .error, .unknownDocument, "this is another tool's tracking plan", file: name,
          position: DocumentDiagnostic.Position(line: 1, column: 1),
          help:
            "`dualsend specify --plan FILE` makes a specification of it, `dualsend table draft --names FILE` drafts a table"
        )
      ])
    case nil:
      throw DocumentError([
        DocumentDiagnostic(
          .error, .unknownDocument, "unknown kind of document", file: name,
          position: DocumentDiagnostic.Position(line: 1, column: 1),
          help: "a rollout document has `revision` and `salt`, a remapping table has `events`, events are specified in"
            + " `specification`, a policy of `guard` has `steps` and `bounds`,"
            + " a normalisation file has `preset` or a rule of its own")
      ])
    }
  }
}

extension RolloutDocument {
  /// All findings: those of reading, of the proofs and of the lint.
  ///
  /// - Parameter bytes: the text that the document was read from.
  package func everyFinding(in bytes: [UInt8], name: String) throws(DocumentError) -> [DocumentDiagnostic] {
    try audit() + RolloutLint.findings(in: bytes, name: name)
  }
}
