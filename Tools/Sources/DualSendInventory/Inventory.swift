public import DualSendCore

/// Every place in some code that logs, with what it can send.
///
/// On disk it is JSON lines, one a call site, in the order of files and places; two inventories of the same code are the
/// same bytes.
public struct Inventory: Sendable, Hashable {
  /// The call sites, sorted by place.
  public let callSites: [CallSite]

  /// Creates an inventory; call sites may come in any order.
  public init(_ callSites: some Sequence<CallSite>) {
    self.callSites = callSites.sorted()
  }

  /// Reads the lines of an inventory, in whatever order they are; empty lines are passed over.
  ///
  /// - Parameters:
  ///   - bytes: JSON lines in UTF-8.
  ///   - name: what findings call the file.
  /// - Throws: what is wrong, each finding with its line and column, at most a hundred; an inventory that is not whole
  ///   would hide call sites, so nothing of it is used.
  public init(_ bytes: some Sequence<UInt8>, name: String? = nil) throws(DocumentError) {
    var reader = InventoryReader(name: name)
    reader.read(Array(bytes))
    let findings = reader.findings
    if !findings.isEmpty { throw DocumentError(findings) }
    self.init(reader.callSites)
  }

  /// Canonical JSON, one line a call site.
  public var jsonLines: String {
    callSites.map { $0.jsonLine + "\n" }.joined()
  }
}
