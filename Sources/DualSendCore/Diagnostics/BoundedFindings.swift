/// Collects findings up to ``DocumentReader/maximumFindings``, and counts the others.
public struct BoundedFindings: Sendable {
  private var findings: [DocumentDiagnostic] = []
  /// The number of findings that are not kept.
  private var hidden = 0

  /// Starts with some findings.
  public init(_ findings: [DocumentDiagnostic] = []) {
    self.findings = findings
  }

  /// Adds a finding. Beyond the maximum only counts it, without evaluating it.
  ///
  /// One more than the maximum is kept, for the position of the others.
  public mutating func report(_ finding: @autoclosure () -> DocumentDiagnostic) {
    if findings.count <= DocumentReader.maximumFindings { findings.append(finding()) } else { hidden += 1 }
  }

  /// Adds the findings of another collection.
  public mutating func add(_ other: BoundedFindings) {
    findings += other.findings
    hidden += other.hidden
  }

  /// Whether there are no findings.
  public var isEmpty: Bool { findings.isEmpty }

  /// The first findings by position, and one that counts the others.
  public var diagnostics: [DocumentDiagnostic] {
    let sorted = findings.inOrder()
    let shown = sorted.prefix(DocumentReader.maximumFindings)
    guard let first = sorted.dropFirst(shown.count).first else { return sorted }
    let count = sorted.count - shown.count + hidden
    return shown + [
      DocumentDiagnostic(
        first.severity, .moreFindings, "and \(count) more, from here on", file: first.file, position: first.position)
    ]
  }
}
