import DualSendCore

/// Reads the lines of an inventory, and collects all findings.
struct InventoryReader {
  private let name: String?
  private(set) var callSites: [CallSite] = []
  private var kept: [DocumentDiagnostic] = []
  private var furtherCount = 0
  private var furtherLine = 0

  init(name: String?) {
    self.name = name
  }

  /// The findings: at most ``DocumentReader/maximumFindings``, and one that counts the others.
  var findings: [DocumentDiagnostic] {
    guard furtherCount > 0 else { return kept }
    return kept + [
      DocumentDiagnostic(
        .error, .moreFindings, "and \(furtherCount) more, from here on", file: name,
        position: DocumentDiagnostic.Position(line: furtherLine, column: 1))
    ]
  }

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
    for diagnostic in diagnostics.sorted() {
      if kept.count < DocumentReader.maximumFindings {
        kept.append(diagnostic.onLine(line))
      } else {
        if furtherCount == 0 { furtherLine = line }
        furtherCount += 1
      }
    }
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
