public import DualSendCore
public import DualSendTracking
import Foundation

/// Turns MetricKit's payloads into typed values and into a limited number of events.
///
/// ```swift
/// let reporter = HealthReporter(logger: dualSend)
/// let subscriber = MetricKitSubscriber(reporter)  // keep it as long as the app runs
/// ```
///
/// Sends at most ``Options/maximumEvents`` events a day, with places reserved for diagnostics, so that a full metric
/// payload cannot keep out a crash. The results of each delivery go to the logger, the delegate and every stream of
/// ``reports``, with counts of all omissions; logged events only have the number of events beyond the limit.
///
/// Safe to use from any thread. Payloads are processed on the thread that delivers them, for MetricKit its own.
public final class HealthReporter: Sendable {
  /// The options of a reporter.
  public struct Options: Sendable {
    /// The version of the app (`CFBundleShortVersionString`) whose payloads are reported; `nil` for every payload of a
    /// single version.
    public var appVersion: String?
    /// The most events a day; 8 by default, as in crash reporters. A negative number counts as 0.
    ///
    /// The day begins with its first event. Events whose places were lent to the other kind are sent beyond this
    /// number.
    public var maximumEvents = 8
    /// How many of these places are reserved for diagnostics; 4 by default. The others are for metrics. Each kind can
    /// borrow unused places of the other.
    public var placesForDiagnostics = 4
    /// The selected metrics, with thresholds and priorities.
    public var selection = HealthSelection()
    /// The memory limit of the app in bytes, included in events about exits; `nil` if unknown. By default the limit
    /// that iOS and visionOS report.
    public var memoryLimit: @Sendable () -> Int64? = { MemoryLimit.current }

    /// Creates the default options.
    ///
    /// - Parameter appVersion: by default the version of the running app. If it is unknown, such as outside a bundle,
    ///   payloads of every version are reported.
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

  /// Creates a reporter that passes its events to a closure.
  ///
  /// - Parameters:
  ///   - options: the options.
  ///   - delegate: called for every delivery; a weak reference.
  ///   - time: the clock for the daily limit.
  ///   - send: called with each event, on the thread that delivered the payload.
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

  /// A stream of the results from now on. A reader that falls 16 deliveries behind loses the oldest.
  public var reports: AsyncStream<HealthReport> {
    multicast.stream()
  }

  /// The number of sent events and the omissions so far.
  public var statistics: HealthStatistics {
    state.current.statistics
  }

  /// Processes the payloads of one delivery, and sends the selected events.
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

  /// Applies the daily limit to the events of this delivery.
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

/// The result of one delivery.
public struct HealthReport: Sendable {
  /// The events that were sent, in order.
  public internal(set) var events: [HealthEvent] = []
  /// The complete metric payloads of the selected version.
  public internal(set) var metricPayloads: [HealthMetricPayload] = []
  /// The diagnostic payloads, with the diagnostics of every version.
  public internal(set) var diagnosticPayloads: [HealthDiagnosticPayload] = []
  /// What was omitted.
  public internal(set) var omissions = HealthOmissions()
}

/// The statistics of a reporter.
public struct HealthStatistics: Sendable, Hashable {
  /// Events that were sent.
  public internal(set) var events = 0
  /// What was omitted.
  public internal(set) var omissions = HealthOmissions()

  /// Creates counts of 0.
  public init() {}
}

/// Receives the result of each delivery.
public protocol HealthReporterDelegate: AnyObject, Sendable {
  /// Called after the events of a delivery are sent, on the thread that delivered the payloads.
  func healthReporter(_ reporter: HealthReporter, didReceive report: HealthReport)
}

extension HealthReporter {
  /// Creates a reporter that logs its events.
  ///
  /// - Parameters:
  ///   - options: the options.
  ///   - logger: a `Tracker`, several sinks, or the adapter of a migration.
  ///   - scope: the sinks. By default all except the old logger, because these events are new and cannot be compared.
  ///   - delegate: called for every delivery; a weak reference.
  ///   - time: the clock for the daily limit.
  public convenience init(
    _ options: Options = Options(), logger: any EventLogging, to scope: Sink.Scope = .except([.oldLogger]),
    delegate: (any HealthReporterDelegate)? = nil, time: TimeSource = .system
  ) {
    self.init(options, delegate: delegate, time: time) { event in
      logger.log(event.name, parameters: event.parameters, to: scope)
    }
  }
}

// MARK: - Health intake

/// Turns the payloads of one delivery into events.
struct HealthIntake {
  private let wantedVersion: String?
  private var builder: HealthEventBuilder
  private var read = HealthReport()

  init(_ options: HealthReporter.Options) {
    wantedVersion = options.appVersion
    builder = HealthEventBuilder(options.selection, memoryLimit: options.memoryLimit())
  }

  /// All events that could be sent.
  var events: [HealthEvent] { builder.events }

  /// The payloads and omissions so far.
  var report: HealthReport {
    var report = read
    report.omissions += builder.omissions
    return report
  }

  mutating func add(_ payload: HealthMetricPayload) {
    if payload.includesSeveralVersions {
      read.omissions.payloadsOfSeveralVersions += 1
    } else if !isWanted(payload.environment) {
      read.omissions.payloadsOfOtherVersions += 1
    } else {
      read.metricPayloads.append(payload)
      builder.add(payload)
    }
  }

  mutating func add(_ payload: HealthDiagnosticPayload) {
    read.diagnosticPayloads.append(payload)
    // Each diagnostic has its version, because a payload may cover several.
    let wanted = payload.diagnostics.filter { isWanted($0.environment) }
    read.omissions.diagnosticsOfOtherVersions += payload.diagnostics.count - wanted.count
    builder.add(payload, wanted)
  }

  private func isWanted(_ environment: HealthEnvironment) -> Bool {
    guard let wantedVersion else { return true }
    return environment.appVersion.map { $0.isExactly(wantedVersion) } ?? false
  }
}

// MARK: - Memory limit

#if os(iOS) || os(visionOS)
  import Darwin
  import os
#endif

/// The memory limit of this process.
enum MemoryLimit {
  /// In bytes; `nil` if unknown, such as in a simulator.
  static var current: Int64? {
    #if os(iOS) || os(visionOS)
      let available = os_proc_available_memory()
      guard available > 0, let used = footprint else { return nil }
      return Int64(clamping: used).addingClamped(Int64(clamping: available))
    #else
      return nil
    #endif
  }

  #if os(iOS) || os(visionOS)
    /// The value of `mach_task_self_`, which is a shared mutable variable for Swift in SDKs before iOS 18.4.
    private static let task = task_self_trap()

    private static var footprint: UInt64? {
      var info = task_vm_info_data_t()
      let capacity = MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<natural_t>.size
      var count = mach_msg_type_number_t(capacity)
      let result = withUnsafeMutablePointer(to: &info) { pointer in
        pointer.withMemoryRebound(to: integer_t.self, capacity: capacity) { words in
          task_info(task, task_flavor_t(TASK_VM_INFO), words, &count)
        }
      }
      return result == KERN_SUCCESS ? info.phys_footprint : nil
    }
  #endif
}
