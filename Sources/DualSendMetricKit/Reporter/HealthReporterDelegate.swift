/// Is told what comes of the health payloads.
public protocol HealthReporterDelegate: AnyObject, Sendable {
  /// A delivery was read, and its events are sent. Called on the thread that brought the payloads, once for each
  /// delivery.
  func healthReporter(_ reporter: HealthReporter, didReceive report: HealthReport)
}
