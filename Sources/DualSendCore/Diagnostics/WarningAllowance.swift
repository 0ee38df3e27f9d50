/// Warnings that a document silences. `"allow": ["DS0112"]` in an event, a row or a rule applies to it and to
/// everything inside it.
public struct WarningAllowance: Sendable, Hashable {
  /// The element that has the `allow`.
  public let path: EventPath
  /// The codes of the list.
  public let codes: [String]

  /// Whether a finding is silenced. Errors cannot be silenced.
  public func covers(_ finding: DocumentDiagnostic) -> Bool {
    finding.severity == .warning && covers(finding.code, at: finding.path)
  }

  /// Whether a warning with this code and place is silenced.
  func covers(_ code: DocumentDiagnostic.Code, at path: EventPath) -> Bool {
    codes.contains(code.rawValue) && path.steps.starts(with: self.path.steps)
  }
}
