#if canImport(MetricKit) && (os(iOS) || os(macOS) || os(visionOS))
  public import Foundation
  public import MetricKit

  /// Hands what the system delivers to a ``HealthReporter``.
  ///
  /// Make it at launch, once, and keep it: it subscribes when it is made, and no longer once it is released. MetricKit
  /// delivers metrics at most once a day, and diagnostics soon after they happened; on macOS it has diagnostics alone.
  public final class MetricKitSubscriber: NSObject, MXMetricManagerSubscriber {
    private let reporter: HealthReporter

    /// Subscribes.
    public init(_ reporter: HealthReporter) {
      self.reporter = reporter
      super.init()
      MXMetricManager.shared.add(self)
    }

    deinit {
      MXMetricManager.shared.remove(self)
    }

    #if !os(macOS)
      /// Called by MetricKit, on a thread of its own.
      public func didReceive(_ payloads: [MXMetricPayload]) {
        reporter.receive(metricPayloads: payloads.map(HealthMetricPayload.init))
      }
    #endif

    /// Called by MetricKit, on a thread of its own.
    public func didReceive(_ payloads: [MXDiagnosticPayload]) {
      reporter.receive(diagnosticPayloads: payloads.map(HealthDiagnosticPayload.init))
    }
  }
#endif
