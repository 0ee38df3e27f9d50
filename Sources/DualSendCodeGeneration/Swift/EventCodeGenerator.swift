public import DualSendCore

/// Generates Swift code from an event specification: a structure for each event, with its old form and, with a
/// remapping table, its new form.
///
/// Deterministic. Texts from a specification or a table cannot end a comment, a string or a line of the code.
public struct EventCodeGenerator: Sendable {
  /// The access level of the generated code.
  public enum Access: String, Sendable, Hashable, CaseIterable {
    /// Visible to other modules.
    case `public`
    /// Visible in its own module.
    case `internal`
  }

  /// How to treat a parameter without a row in the table.
  public enum MissingRows: String, Sendable, Hashable, CaseIterable {
    /// The generated code does not compile, because the call that creates the new form lacks the argument.
    case fail
    /// The parameter follows the table's `unmapped`.
    case follow
  }

  /// The access level of the generated code.
  public var access: Access
  /// How to treat a parameter without a row in the table.
  public var missingRows: MissingRows

  /// Creates a generator.
  public init(access: Access = .internal, missingRows: MissingRows = .fail) {
    self.access = access
    self.missingRows = missingRows
  }

  /// Generates the code of all events.
  ///
  /// - Parameters:
  ///   - specification: the events.
  ///   - remapping: the table for the new forms; without it there are none.
  /// - Throws: the findings about a specification that was made in code.
  public func code(
    for specification: EventSpecification, remapping: RemappingSource? = nil
  ) throws(DocumentError) -> GeneratedCode {
    let faults = SpecificationCheck.findings(in: specification.events.map(PlacedEvent.init))
    guard faults.isEmpty else { throw DocumentError(faults.diagnostics) }
    var warnings: [DocumentDiagnostic] = []
    let types = specification.events.map { event in
      let plan = remapping.map { NewFormPlan(event, by: $0.table) }
      if let remapping, let plan, missingRows == .fail {
        warnings += plan.unmapped.map { remapping.missingRow(for: event.parameters[$0].key, of: event.name) }
      }
      let code = EventCode(event, plan, access: access, refusesMissingRows: missingRows == .fail)
      return GeneratedCode.EventType(name: event.typeName, text: code.text, needs: code.needs)
    }
    return GeneratedCode(
      types: types, access: access, warnings: BoundedFindings(warnings).diagnostics)
  }
}

extension EventCodeGenerator {
  private static let formatVersion: Int64 = 1

  /// Reads a generator's settings: `{"formatVersion": 1, "access": "public", "missingRows": "follow"}`.
  ///
  /// - Throws: all findings.
  public init(json bytes: some Sequence<UInt8>, name: String? = nil) throws(DocumentError) {
    var reader = try DocumentReader(bytes, name: name)
    self.init()
    let root = reader.document.root
    let known = ["$schema", "formatVersion", "access", "missingRows"]
    if reader.hasFormat(Self.formatVersion), let members = reader.members(of: root, at: EventPath(), known: known) {
      if let access = members["access"] {
        self.access =
          reader.word(access.value, at: EventPath([.key("access")]), code: .unknownParameterWord) ?? self.access
      }
      if let missingRows = members["missingRows"] {
        self.missingRows =
          reader.word(missingRows.value, at: EventPath([.key("missingRows")]), code: .unknownParameterWord)
          ?? self.missingRows
      }
    }
    if reader.hasErrors { throw DocumentError(reader.diagnostics) }
  }
}
