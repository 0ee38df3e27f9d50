import DualSend
import DualSendCore
import DualSendMetricKit
import DualSendTesting
import Foundation
import Testing

@Suite("What a health reporter finds")
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

  @Test("goes through the adapter to the sinks that the rollout selects, in Swift's own types")
  func adapter() async throws {
    let old = RecordingOldLogger()
    let tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: URL(fileURLWithPath: "/events")), storage: .memory, consent: .pending))
    let rollout = try RolloutSnapshot(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true)
    let logger = DualSendTracker(oldLogger: old, tracker: tracker, rollout: rollout, unitID: { "unit" })
    HealthReporter(options, logger: logger).receive(
      metricPayloads: [try Fixture.bytes("metrics-en")], diagnosticPayloads: [try Fixture.bytes("diagnostics")])
    await tracker.persist()
    #expect(old.entries.map(\.name) == ["health.diagnostic.crash", "health.app_exit.background"])
    #expect(old.entries.last?.parameters["memory_pressure"] == 13)
    guard case .array(let frames)? = old.entries.first?.parameters["call_stack"] else { return #expect(Bool(false)) }
    #expect(frames.count == 4)
    #expect(await tracker.statistics.ledger.pending == 2)
    await tracker.shutdown()
  }

  @Test("goes to the delegate, which is not kept alive")
  func delegate() throws {
    var recorder: Recorder? = Recorder()
    let reports = try #require(recorder?.reports)
    let reporter = HealthReporter(options, delegate: recorder)
    reporter.receive(metricPayloads: [try Fixture.bytes("metrics-en")])
    #expect(reports.current.map { $0.events.map(\.topic) } == [[.backgroundExits]])
    recorder = nil
    reporter.receive(metricPayloads: [try Fixture.bytes("metrics-en")])
    #expect(reports.current.count == 1)
  }

  @Test("goes to every stream")
  func streams() async throws {
    let reporter = HealthReporter(options)
    var (first, second) = (reporter.reports.makeAsyncIterator(), reporter.reports.makeAsyncIterator())
    reporter.receive(metricPayloads: [try Fixture.bytes("metrics-en")])
    reporter.receive(metricPayloads: [Array("{".utf8)])
    #expect(await first.next()?.events.count == 1)
    #expect(await first.next()?.errors.count == 1)
    #expect(await second.next()?.events.count == 1)
  }

  @Test("never goes beyond the session's limit, however many threads bring payloads")
  func threads() async throws {
    let sent = Locked(0)
    var options = options
    options.maximumEvents = 10
    let reporter = HealthReporter(options) { _ in sent.withLock { $0 += 1 } }
    let bytes = try Fixture.bytes("metrics-en")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<40 { group.addTask { reporter.receive(metricPayloads: [bytes]) } }
    }
    #expect(sent.current == 10)
    #expect(reporter.statistics.omissions.eventCount == 30)
  }
}
