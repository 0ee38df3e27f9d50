import DualSend
import DualSendCore
import DualSendMetricKit
import DualSendTesting
import DualSendTracking
import Foundation
import Testing

@Suite("What a health reporter finds", .timeLimit(.minutes(5)))
struct HealthDeliveryTests {
  private final class Recorder: HealthReporterDelegate {
    let reports = Locked<[HealthReport]>([])

    func healthReporter(_ reporter: HealthReporter, didReceive report: HealthReport) {
      reports.withLock { $0.append(report) }
    }
  }

  private var options: HealthReporter.Options {
    var options = HealthReporter.Options(appVersion: "25.4.10")
    options.selection.topics = [.backgroundExits, .crash]
    return options
  }

  @Test(
    "goes through the adapter to the tracker, and to the old logger only if that is asked for",
    arguments: [false, true])
  func adapter(isForOldLogger: Bool) async throws {
    let old = RecordingOldLogger()
    let tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: URL(fileURLWithPath: "/events")), storage: .memory
      ) {
        $0.consent = .pending
      })
    let rollout = try RolloutSnapshot(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true)
    let logger = DualSendTracker(oldLogger: old, tracker: tracker, rollout: rollout, unitID: { "unit" })
    let reporter =
      isForOldLogger
      ? HealthReporter(options, logger: logger, to: .all) : HealthReporter(options, logger: logger)
    reporter.receive(metricPayloads: [Sample.metrics()], diagnosticPayloads: [try Sample.diagnostics(others: false)])
    await tracker.persist()
    #expect(await tracker.statistics.ledger.pending == 2)
    let names = ["health.diagnostic.crash", "health.app_exit.background"]
    #expect(old.entries.map(\.name) == (isForOldLogger ? names : []))
    if isForOldLogger {
      #expect(old.entries.last?.parameters["memory_pressure"] == 13)
      guard case .array(let frames)? = old.entries.first?.parameters["call_stack"] else { return #expect(Bool(false)) }
      #expect(frames.count == 4)
    }
    await tracker.shutdown()
  }

  @Test("goes to any logger, without a migration")
  func anyLogger() throws {
    let logger = RecordingEventLogger()
    HealthReporter(options, logger: logger).receive(metricPayloads: [Sample.metrics()])
    #expect(logger.entries.map(\.name) == ["health.app_exit.background"])
    #expect(logger.entries.first?.scope == .except([.oldLogger]))
    #expect(logger.entries.first?.parameters["period_begin"] == .date(Sample.begin))
  }

  @Test("goes to a function, with the diagnostic itself")
  func function() throws {
    let sent = Locked<[HealthDiagnostic?]>([])
    let reporter = HealthReporter(options) { event in sent.withLock { $0.append(event.diagnostic) } }
    reporter.receive(metricPayloads: [Sample.metrics()], diagnosticPayloads: [try Sample.diagnostics(others: false)])
    #expect(sent.current == [try Sample.diagnostic(.crash), nil])
  }

  @Test("goes to the delegate, which is not kept alive")
  func delegate() throws {
    var recorder: Recorder? = Recorder()
    let reports = try #require(recorder?.reports)
    let reporter = HealthReporter(options, delegate: recorder) { _ in }
    reporter.receive(metricPayloads: [Sample.metrics()])
    #expect(reports.current.map { $0.events.map(\.topic) } == [[.backgroundExits]])
    recorder = nil
    reporter.receive(metricPayloads: [Sample.metrics()])
    #expect(reports.current.count == 1)
  }

  @Test("goes to every stream")
  func streams() async {
    let reporter = HealthReporter(options) { _ in }
    var (first, second) = (reporter.reports.makeAsyncIterator(), reporter.reports.makeAsyncIterator())
    reporter.receive(metricPayloads: [Sample.metrics()])
    reporter.receive(metricPayloads: [Sample.metrics("1")])
    #expect(await first.next()?.events.count == 1)
    #expect(await first.next()?.omissions.payloadsOfOtherVersions == 1)
    #expect(await second.next()?.events.count == 1)
  }

  @Test("never goes beyond the day's limit, however many threads bring payloads")
  func threads() async throws {
    let sent = Locked(0)
    var options = options
    options.maximumEvents = 10
    let reporter = HealthReporter(options) { _ in sent.withLock { $0 += 1 } }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<40 { group.addTask { reporter.receive(metricPayloads: [Sample.metrics()]) } }
    }
    #expect(sent.current == 10)
    #expect(reporter.statistics.omissions.eventCount == 30)
  }
}
