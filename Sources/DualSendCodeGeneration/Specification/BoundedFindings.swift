@_spi(Tools) import DualSendCore

/// Findings about texts that are no JSON: as many as ``DocumentReader`` keeps, and the number of the others.
struct BoundedFindings {
  private var findings: [DocumentDiagnostic] = []
  private var hidden = 0

  /// Keeps a finding, or counts it if there are too many already; then it is not made.
  mutating func report(_ finding: @autoclosure () -> DocumentDiagnostic) {
    if findings.count < DocumentReader.maximumFindings { findings.append(finding()) } else { hidden += 1 }
  }

  var isEmpty: Bool { findings.isEmpty }

  var diagnostics: [DocumentDiagnostic] { Self.bounded(findings, hidden: hidden) }

  /// The first findings by their places, and one that counts the others.
  static func bounded(_ findings: [DocumentDiagnostic], hidden: Int = 0) -> [DocumentDiagnostic] {
    let sorted = findings.sorted()
    let shown = sorted.prefix(DocumentReader.maximumFindings)
    let rest = sorted.count - shown.count + hidden
    guard rest > 0, let last = shown.last else { return sorted }
    return shown + [
      DocumentDiagnostic(
        .error, .moreFindings, "and \(rest) more, from here on", file: last.file, position: last.position)
    ]
  }
}
