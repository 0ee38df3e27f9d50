import DualSendMetricKit
import Foundation

/// Records non-fatal errors, as Crashlytics' `record(error:)` or Sentry's `capture(error:)` do.
protocol CrashReporter: Sendable {
  func record(_ error: any Error)
}

/// Passes the diagnostics that MetricKit delivers to a crash reporter, as errors.
///
/// ```swift
/// let errors = DiagnosticErrors(crashReporter)  // keep a reference: the reporter's is weak
/// let reporter = HealthReporter(logger: logger, delegate: errors)
/// ```
///
/// The crash reporter gets the diagnostics within the daily limit of eight, which is also Crashlytics' limit per session.
final class DiagnosticErrors: HealthReporterDelegate {
  private let crashReporter: any CrashReporter

  init(_ crashReporter: any CrashReporter) {
    self.crashReporter = crashReporter
  }

  func healthReporter(_ reporter: HealthReporter, didReceive report: HealthReport) {
    for error in report.events.compactMap(\.diagnosticError) { crashReporter.record(error) }
  }
}

extension HealthEvent {
  /// The diagnostic as an error; `nil` for metrics.
  ///
  /// Crash reporters group errors by domain and code: the kind of diagnostic and the signal.
  var diagnosticError: NSError? {
    guard let diagnostic else { return nil }
    var details: [String: Any] = [:]
    for (key, value) in parameters {
      switch value {
      case .string(let text): details[key] = text
      case .int(let number): details[key] = number
      case .double(let number): details[key] = number
      case .date(let date): details[key] = date
      default: break
      }
    }
    // The complete JSON: a service with the app's dSYM files can symbolicate it.
    details["json"] = diagnostic.json.map { String(decoding: $0, as: UTF8.self) }
    return NSError(domain: name, code: Int(diagnostic.crash?.signal ?? 0), userInfo: details)
  }
}
