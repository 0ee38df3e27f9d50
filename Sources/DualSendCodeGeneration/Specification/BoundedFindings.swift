import DualSendCore

/// Findings about texts that are no JSON: as many as ``DocumentReader`` keeps, and the number of the others.
struct BoundedFindings {
  private var findings: [DocumentDiagnostic] = []
  /// How many were made beyond those that are kept.
  private var hidden = 0

  init(_ findings: [DocumentDiagnostic] = []) {
    self.findings = findings
  }

  /// Keeps a finding, or counts it if there are too many already; then it is not made.
  ///
  /// One more than is shown is kept: it says where the others begin.
  mutating func report(_ finding: @autoclosure () -> DocumentDiagnostic) {
    if findings.count <= DocumentReader.maximumFindings { findings.append(finding()) } else { hidden += 1 }
  }

  /// Adds what was found elsewhere.
  mutating func add(_ other: BoundedFindings) {
    findings += other.findings
    hidden += other.hidden
  }

  var isEmpty: Bool { findings.isEmpty }

  /// The first findings by their places, and one that counts the others.
  var diagnostics: [DocumentDiagnostic] {
    let sorted = findings.sorted()
    let shown = sorted.prefix(DocumentReader.maximumFindings)
    guard let first = sorted.dropFirst(shown.count).first else { return sorted }
    let count = sorted.count - shown.count + hidden
    return shown + [
      DocumentDiagnostic(
        first.severity, .moreFindings, "and \(count) more, from here on", file: first.file, position: first.position)
    ]
  }
}
