/// Warnings that a document silences on purpose: `"allow": ["DS0112"]` in an event, a row or a rule holds for it and for
/// everything inside it.
public struct WarningAllowance: Sendable, Hashable {
  /// What has the `allow`.
  public let path: EventPath
  /// The codes it names.
  public let codes: [String]

  /// Whether a finding is one of these warnings, and inside. An error cannot be silenced.
  public func covers(_ finding: DocumentDiagnostic) -> Bool {
    finding.severity == .warning && covers(finding.code, at: finding.path)
  }

  /// Whether a warning of this code and place would be one of them.
  func covers(_ code: DocumentDiagnostic.Code, at path: EventPath) -> Bool {
    codes.contains(code.rawValue) && path.steps.starts(with: self.path.steps)
  }
}
