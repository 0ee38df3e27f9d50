import DualSendCore

/// Reads the lines of an inventory, and collects all findings.
struct InventoryReader {
  private let name: String?
  private(set) var callSites: [CallSite] = []
  private var found = BoundedFindings()

  init(name: String?) {
    self.name = name
  }

  var findings: [DocumentDiagnostic] { found.diagnostics }

  mutating func read(_ bytes: [UInt8]) {
    let mark = bytes.starts(with: SourceText.byteOrderMark) ? SourceText.byteOrderMark.count : 0
    let lines = bytes[mark...].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where line.contains(where: { $0 > 0x20 }) {
      read(line, number: index + 1)
    }
  }

  private mutating func read(_ line: ArraySlice<UInt8>, number: Int) {
    var reader: DocumentReader
    do { reader = try DocumentReader(line, name: name) } catch { return keep(error.diagnostics, of: number) }
    let callSite = reader.callSite()
    if reader.hasErrors {
      keep(reader.diagnostics, of: number)
    } else if let callSite {
      callSites.append(callSite)
    }
  }

  private mutating func keep(_ diagnostics: [DocumentDiagnostic], of line: Int) {
    for diagnostic in diagnostics.sorted() { found.report(diagnostic.onLine(line)) }
  }
}

extension DocumentDiagnostic {
  /// The finding about one line, with its position in the file.
  fileprivate func onLine(_ line: Int) -> DocumentDiagnostic {
    DocumentDiagnostic(
      severity, code, message, file: file,
      position: DocumentDiagnostic.Position(line: line, column: position?.column ?? 1), path: path, notes: notes,
      help: help)
  }
}
