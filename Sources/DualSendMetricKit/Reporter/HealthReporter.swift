public import DualSend
import DualSendCore
import Foundation

/// Turns MetricKit's payloads into typed values and into events of the adapter.
///
/// ```swift
/// let reporter = HealthReporter(logger: dualSend)
/// let subscriber = MetricKitSubscriber(reporter)  // keep it as long as the app runs
/// ```
///
/// One reporter is one session: it sends at most ``Options/maximumEvents`` events in its life. What comes of each
/// delivery goes to the adapter, to the delegate and to every stream of ``reports``; what is left out is counted in all
/// of them but the adapter, whose events carry how many of their delivery there was no place for.
///
/// May be used from any thread. Nothing waits: payloads are read on the thread that brings them, which for MetricKit is
/// one of its own.
public final class HealthReporter: Sendable {
  /// What a reporter sends.
  public struct Options: Sendable {
    /// The version of the app whose payloads count, as `CFBundleShortVersionString` has it; `nil` takes every payload
    /// of one version.
    public var appVersion: String?
    /// The most events of a session; by default 8, as many as crash reporters take. Less than 0 counts as 0.
    public var maximumEvents = 8
    /// Which metrics become events, from which value on, and which first.
    public var selection = HealthSelection()

    /// The defaults.
    ///
    /// - Parameter appVersion: by default the version of the running app. Where that is not known, as outside of a
    ///   bundle, every payload of one version counts.
    public init(appVersion: String? = HealthReporter.currentAppVersion) {
      self.appVersion = appVersion
    }
  }

  /// The running app's `CFBundleShortVersionString`.
  public static var currentAppVersion: String? {
    Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
  }

  private struct WeakDelegate: Sendable {
    weak var delegate: (any HealthReporterDelegate)?
  }

  private let options: Options
  private let send: @Sendable (HealthEvent) -> Void
  private let state = Locked(HealthStatistics())
  private let delegate: Locked<WeakDelegate>
  private let multicast = Multicast<HealthReport>(bufferSize: 16)

  /// Creates a reporter whose events go through an adapter.
  ///
  /// - Parameters:
  ///   - logger: logs the events, as the rollout decides; by default nothing is logged.
  ///   - delegate: is told of every delivery; not kept alive.
  public convenience init(
    _ options: Options = Options(), logger: DualSendTracker? = nil, delegate: (any HealthReporterDelegate)? = nil
  ) {
    self.init(options, delegate: delegate) { event in
      logger?.logEvents(name: event.name, sendableParameters: event.sendableParameters)
    }
  }

  /// Creates a reporter whose events go elsewhere.
  ///
  /// - Parameters:
  ///   - delegate: is told of every delivery; not kept alive.
  ///   - send: is given each event, on the thread that brought the payload.
  public init(
    _ options: Options = Options(), delegate: (any HealthReporterDelegate)? = nil,
    send: @escaping @Sendable (HealthEvent) -> Void
  ) {
    self.options = options
    self.send = send
    self.delegate = Locked(WeakDelegate(delegate: delegate))
  }

  /// What comes of each delivery from now on. A reader that falls 16 deliveries behind loses the oldest.
  public var reports: AsyncStream<HealthReport> {
    multicast.stream()
  }

  /// What was sent and left out so far.
  public var statistics: HealthStatistics {
    state.current
  }

  /// Reads the payloads of one delivery, as `jsonRepresentation()` gives them, and sends what is chosen of them.
  ///
  /// A payload that cannot be read costs itself, not the others.
  ///
  /// - Parameter numberFormat: how this device writes numbers; see ``HealthQuantity/Certainty``.
  @discardableResult
  public func receive(
    metricPayloads: [[UInt8]] = [], diagnosticPayloads: [[UInt8]] = [], numberFormat: HealthNumberFormat? = nil
  ) -> HealthReport {
    var intake = HealthIntake(options)
    for bytes in metricPayloads { intake.add(metricPayload: bytes, numberFormat) }
    for bytes in diagnosticPayloads { intake.add(diagnosticPayload: bytes, numberFormat) }
    let report = choose(intake)
    for event in report.events { send(event) }
    delegate.current.delegate?.healthReporter(self, didReceive: report)
    multicast.send(report)
    return report
  }

  /// Takes the places of this delivery's events from the session's.
  private func choose(_ intake: HealthIntake) -> HealthReport {
    let budget = HealthBudget(selection: options.selection)
    return state.withLock { state in
      var report = intake.report
      let (sent, leftOut) = budget.choose(intake.events, atMost: options.maximumEvents - state.events)
      report.omissions.events = leftOut
      let missing = leftOut.values.reduce(0, +)
      report.events = sent.map { event in
        var event = event
        if missing > 0 { event.parameters["left_out"] = .int(Int64(missing)) }
        return event
      }
      state.events += sent.count
      state.omissions += report.omissions
      return report
    }
  }
}
