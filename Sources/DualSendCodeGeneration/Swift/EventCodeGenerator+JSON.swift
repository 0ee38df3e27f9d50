public import DualSendCore

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
