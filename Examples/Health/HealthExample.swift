import DualSend
import DualSendMetricKit
import Foundation

/// `health METRICS [DIAGNOSTICS]`: reads one payload of each kind, as MetricKit gives it, and shows the events that the
/// adapter logs for them, and what is left out.
@main
struct HealthExample {
  static func main() async throws {
    guard (2...3).contains(CommandLine.arguments.count) else {
      FileHandle.standardError.write(Data("usage: health METRICS [DIAGNOSTICS]\n".utf8))
      exit(64)
    }
    let files = try CommandLine.arguments.dropFirst().map { Array(try Data(contentsOf: URL(fileURLWithPath: $0))) }
    let report = try await run(metrics: files[0], diagnostics: files.dropFirst().first) { print($0) }
    exit(report.errors.isEmpty ? 0 : 1)
  }

  /// Sends the payloads' events to both sinks; nothing leaves the machine, for the tracker has no consent.
  static func run(
    metrics: [UInt8], diagnostics: [UInt8]?, show: @escaping @Sendable (String) -> Void
  ) async throws -> HealthReport {
    let tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: URL(fileURLWithPath: "/events")), storage: .memory, consent: .pending))
    let rollout = try RolloutSnapshot(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true)
    let logger = DualSendTracker(
      oldLogger: ShowingLogger(show: show), tracker: tracker, rollout: rollout, unitID: { "installation" })

    var options = HealthReporter.Options(appVersion: nil)
    options.selection.thresholds[.hangTime] = .atLeast(250, .milliseconds)
    let reporter = HealthReporter(options, logger: logger)
    let report = reporter.receive(metricPayloads: [metrics], diagnosticPayloads: diagnostics.map { [$0] } ?? [])

    await tracker.persist()
    show("the tracker has \(await tracker.statistics.ledger.pending) of \(report.events.count) events")
    show("no place for \(report.omissions.eventCount), below a threshold \(report.omissions.belowThreshold)")
    for error in report.errors { show(error.description) }
    await tracker.shutdown()
    return report
  }
}

/// Shows what the old logger is given.
private struct ShowingLogger: OldLogger {
  let show: @Sendable (String) -> Void

  func logEvents(name: String, parameters: [[String: Any]]) {
    for payload in parameters {
      let plain = payload.filter { !($0.value is [Any]) && !($0.value is [String: Any]) }
      show(name + plain.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined())
    }
  }
}
