/// What came of the payloads of one delivery.
public struct HealthReport: Sendable {
  /// The events that were sent, in this order.
  public internal(set) var events: [HealthEvent] = []
  /// The metric payloads of the version asked for, with everything that is in them.
  public internal(set) var metricPayloads: [HealthMetricPayload] = []
  /// The diagnostic payloads, with the diagnostics of every version.
  public internal(set) var diagnosticPayloads: [HealthDiagnosticPayload] = []
  /// What did not become an event.
  public internal(set) var omissions = HealthOmissions()
}
