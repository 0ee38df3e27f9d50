public import DualSendCore

/// All places in some code that log events, with what they can send.
///
/// Stored as JSON lines, one for each call site, sorted by place. Deterministic for the same code.
public struct Inventory: Sendable, Hashable {
  /// The call sites, sorted by place.
  public let callSites: [CallSite]

  /// Creates an inventory. The call sites may be in any order.
  public init(_ callSites: some Sequence<CallSite>) {
    self.callSites = callSites.sorted()
  }

  /// Reads an inventory. The lines may be in any order; empty lines are skipped.
  ///
  /// - Parameters:
  ///   - bytes: JSON lines in UTF-8.
  ///   - name: the file's name for findings.
  /// - Throws: the findings, at most 100. An invalid inventory is rejected as a whole, because an incomplete one would
  ///   hide call sites.
  public init(_ bytes: some Sequence<UInt8>, name: String? = nil) throws(DocumentError) {
    var reader = InventoryReader(name: name)
    reader.read(Array(bytes))
    let findings = reader.findings
    if !findings.isEmpty { throw DocumentError(findings) }
    self.init(reader.callSites)
  }

  /// The inventory as canonical JSON, one line for each call site.
  public var jsonLines: String {
    callSites.map { $0.jsonLine + "\n" }.joined()
  }
}
