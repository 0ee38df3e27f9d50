public import Foundation

/// What an `MXDiagnosticPayload` holds, on every platform.
public struct HealthDiagnosticPayload: Sendable, Hashable {
  /// When the payload begins.
  public var begin: Date?
  /// When the payload ends.
  public var end: Date?
  /// The diagnostics, kind by kind.
  public var diagnostics: [HealthDiagnostic]

  /// Creates a payload, as a test does. On Apple platforms `MetricKitSubscriber` makes them of MetricKit's.
  public init(begin: Date? = nil, end: Date? = nil, diagnostics: [HealthDiagnostic] = []) {
    self.begin = begin
    self.end = end
    self.diagnostics = diagnostics
  }
}
