public import DualSendCore

/// Writes Swift from a specification of events: one structure an event, with its old form and, by a table, its new one.
///
/// The same input gives the same bytes, on every machine and in every process. No text of a specification or a table
/// ends a comment, a string or a line of the code.
public struct EventCodeGenerator: Sendable {
  /// Who may use what is generated.
  public enum Access: String, Sendable, Hashable, CaseIterable {
    /// Every module.
    case `public`
    /// The module that the code is compiled in.
    case `internal`
  }

  /// What happens to a parameter that no row of the table takes.
  public enum MissingRows: String, Sendable, Hashable, CaseIterable {
    /// The generated code does not compile: the call that makes the new form lacks the parameter's argument.
    case fail
    /// It goes the way that `unmapped` says in the table.
    case follow
  }

  /// Who may use what is generated.
  public var access: Access
  /// What happens to a parameter that no row of the table takes.
  public var missingRows: MissingRows

  /// Creates a generator.
  public init(access: Access = .internal, missingRows: MissingRows = .fail) {
    self.access = access
    self.missingRows = missingRows
  }

  /// The code of every event.
  ///
  /// - Parameters:
  ///   - specification: the events.
  ///   - remapping: the table that the new forms come from; without it the events have none.
  /// - Throws: what is wrong with a specification that was put together in code; one that was read is right.
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
