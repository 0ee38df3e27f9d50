public import DualSendCore
import Foundation

/// Turns MetricKit's payloads into typed values and a few events.
///
/// ```swift
/// let reporter = HealthReporter(logger: dualSend)
/// let subscriber = MetricKitSubscriber(reporter)  // keep it as long as the app runs
/// ```
///
/// A reporter sends at most ``Options/maximumEvents`` events a day, and keeps places for diagnostics, so that a full
/// metric payload cannot keep out a crash. What comes of each delivery goes to the logger, to the delegate and to every
/// stream of ``reports``; what is left out is counted in all of them but the logger, whose events carry how many of
/// their delivery there was no place for.
///
/// May be used from any thread. Nothing waits: payloads are read on the thread that brings them, which for MetricKit is
/// one of its own.
public final class HealthReporter: Sendable {
  /// What a reporter sends.
  public struct Options: Sendable {
    /// The version of the app whose payloads count, as `CFBundleShortVersionString` has it; `nil` takes every payload
    /// of one version.
    public var appVersion: String?
    /// The most events of a day; by default 8, as many as crash reporters take. Less than 0 counts as 0.
    ///
    /// The day begins with its first event. Diagnostics whose places were lent to metrics, or the other way round, are
    /// sent beyond this number, at most as many as were lent.
    public var maximumEvents = 8
    /// How many of these events are kept for diagnostics; by default 4. The others are kept for metrics. Places that
    /// one of both has not used are lent to the other.
    public var placesForDiagnostics = 4
    /// Which metrics become events, from which value on, and which first.
    public var selection = HealthSelection()
    /// The most memory that the app may use, in bytes; `nil` where the system does not say. Events about exits carry it.
    /// By default what iOS and visionOS say about the running process.
    public var memoryLimit: @Sendable () -> Int64? = { MemoryLimit.current }

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

  private struct State: Sendable {
    var budget: HealthBudget
    var statistics = HealthStatistics()
  }

  private let options: Options
  private let send: @Sendable (HealthEvent) -> Void
  private let uptime: @Sendable () -> Duration
  private let state: Locked<State>
  private let delegate: Locked<WeakDelegate>
  private let multicast = Multicast<HealthReport>(bufferSize: 16)

  /// Creates a reporter whose events go to a function.
  ///
  /// - Parameters:
  ///   - options: what is reported.
  ///   - delegate: is told of every delivery; not kept alive.
  ///   - time: measures days.
  ///   - send: is given each event, on the thread that brought the payload.
  public init(
    _ options: Options = Options(), delegate: (any HealthReporterDelegate)? = nil, time: TimeSource = .system,
    send: @escaping @Sendable (HealthEvent) -> Void
  ) {
    self.options = options
    self.send = send
    uptime = time.uptime
    state = Locked(
      State(budget: HealthBudget(places: options.maximumEvents, forDiagnostics: options.placesForDiagnostics)))
    self.delegate = Locked(WeakDelegate(delegate: delegate))
  }

  /// What comes of each delivery from now on. A reader that falls 16 deliveries behind loses the oldest.
  public var reports: AsyncStream<HealthReport> {
    multicast.stream()
  }

  /// What was sent and left out so far.
  public var statistics: HealthStatistics {
    state.current.statistics
  }

  /// Takes the payloads of one delivery, and sends what is chosen of them.
  @discardableResult
  public func receive(
    metricPayloads: [HealthMetricPayload] = [], diagnosticPayloads: [HealthDiagnosticPayload] = []
  ) -> HealthReport {
    var intake = HealthIntake(options)
    for payload in metricPayloads { intake.add(payload) }
    for payload in diagnosticPayloads { intake.add(payload) }
    let report = choose(intake)
    for event in report.events { send(event) }
    delegate.current.delegate?.healthReporter(self, didReceive: report)
    multicast.send(report)
    return report
  }

  /// Takes the places of this delivery's events from the day's.
  private func choose(_ intake: HealthIntake) -> HealthReport {
    let ranking = HealthRanking(intake.events, options.selection)
    let now = uptime()
    return state.withLock { state in
      var report = intake.report
      let (sent, leftOut) = ranking.choose(state.budget.take(ranking.counts, at: now))
      report.omissions.events = leftOut
      let missing = leftOut.values.reduce(0, +)
      report.events = sent.map { event in
        var event = event
        if missing > 0 { event.parameters["left_out"] = .int(Int64(missing)) }
        return event
      }
      state.statistics.events += sent.count
      state.statistics.omissions += report.omissions
      return report
    }
  }
}
