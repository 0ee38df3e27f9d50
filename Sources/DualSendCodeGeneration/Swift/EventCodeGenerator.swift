public import DualSendCore

/// Generates Swift code from an event specification: a structure for each event.
///
/// Deterministic. Texts from a specification cannot end a comment, a string or a line of the code.
public struct EventCodeGenerator: Sendable {
  /// The access level of the generated code.
  public enum Access: String, Sendable, Hashable, CaseIterable {
    /// Visible to other modules.
    case `public`
    /// Visible in its own module.
    case `internal`
  }

  /// The access level of the generated code.
  public var access: Access

  /// Creates a generator.
  public init(access: Access = .internal) {
    self.access = access
  }

  /// Generates the code of all events.
  ///
  /// - Throws: the findings about a specification that was made in code.
  public func code(for specification: EventSpecification) throws(DocumentError) -> GeneratedCode {
    let faults = SpecificationCheck.findings(in: specification.events.map(PlacedEvent.init))
    guard faults.isEmpty else { throw DocumentError(faults.diagnostics) }
    let types = specification.events.map { event in
      GeneratedCode.EventType(
        name: event.typeName, text: EventCode(event: event, access: access).text,
        needsDates: event.parameters.contains { $0.type.element == .date })
    }
    return GeneratedCode(types: types, access: access)
  }
}

extension EventCodeGenerator {
  private static let formatVersion: Int64 = 1

  /// Reads a generator's settings: `{"formatVersion": 1, "access": "public"}`.
  ///
  /// - Throws: all findings.
  public init(json bytes: some Sequence<UInt8>, name: String? = nil) throws(DocumentError) {
    var reader = try DocumentReader(bytes, name: name)
    self.init()
    let root = reader.document.root
    let known = ["$schema", "formatVersion", "access"]
    if reader.hasFormat(Self.formatVersion), let members = reader.members(of: root, at: EventPath(), known: known) {
      if let access = members["access"] {
        self.access =
          reader.word(access.value, at: EventPath([.key("access")]), code: .unknownParameterWord) ?? self.access
      }
    }
    if reader.hasErrors { throw DocumentError(reader.diagnostics) }
  }
}
