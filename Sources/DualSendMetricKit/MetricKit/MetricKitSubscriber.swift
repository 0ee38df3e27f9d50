#if canImport(MetricKit) && (os(iOS) || os(macOS) || os(visionOS))
  public import Foundation
  public import MetricKit

  /// Passes MetricKit's payloads to a ``HealthReporter``.
  ///
  /// Create one at launch and keep it: it is subscribed until it is released. MetricKit delivers metrics at most once a
  /// day, and diagnostics soon after they occur; on macOS only diagnostics.
  public final class MetricKitSubscriber: NSObject, MXMetricManagerSubscriber {
    private let reporter: HealthReporter

    /// Creates a subscriber and subscribes it.
    public init(_ reporter: HealthReporter) {
      self.reporter = reporter
      super.init()
      MXMetricManager.shared.add(self)
    }

    deinit {
      MXMetricManager.shared.remove(self)
    }

    #if !os(macOS)
      /// Called by MetricKit, on its own thread.
      public func didReceive(_ payloads: [MXMetricPayload]) {
        reporter.receive(metricPayloads: payloads.map(HealthMetricPayload.init))
      }
    #endif

    /// Called by MetricKit, on its own thread.
    public func didReceive(_ payloads: [MXDiagnosticPayload]) {
      reporter.receive(diagnosticPayloads: payloads.map(HealthDiagnosticPayload.init))
    }
  }
#endif
