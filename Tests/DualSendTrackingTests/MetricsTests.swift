import CustomDump
import DualSendCore
import DualSendStoreTesting
import DualSendTesting
import Foundation
import Metrics
import MetricsTestKit
import Testing

@testable import DualSendTracking

@Suite("The metrics", .timeLimit(.minutes(5)))
struct MetricsTests {
  private let metrics = TestMetrics()

  /// What a counter has counted; 0 if it does not exist.
  private func total(_ label: String, _ dimensions: [(String, String)] = []) -> Int {
    Int(metrics.counterTotal(label: label, dimensions: dimensions))
  }

  @Test("count what was delivered, refused for good and dropped, by reason, as the ledger does")
  func ledger() async throws {
    try await withMetricsFactory(metrics) {
      let bench = try Bench(
        ScriptedTransport { request in
          let isBad = request.trackingEvents.contains { $0["eventName"] == "bad" }
          return .success(.status(isBad ? 400 : 200))
        }, change: { $0.intake.maximumEventBytes = 300 })
      for name in ["a", "b", "bad", "c"] { bench.tracker.sendLog(name: name, payload: [:]) }
      bench.tracker.sendLog(name: "big", payload: ["text": String(repeating: "x", count: 300)])
      await bench.tracker.flush()
      await bench.tracker.pause()
      bench.tracker.sendLogs(name: "late", payloads: [[:], [:]] as [[String: EventValue]])
      await bench.tracker.purge()

      let ledger = await bench.tracker.statistics.ledger
      expectNoDifference(
        ledger, TrackingLedger(accepted: 7, delivered: 3, dropped: [.tooLarge: 1, .purged: 3]))
      #expect(total("dualsend.events.delivered") == 3)
      #expect(total("dualsend.events.dead_lettered") == 1)
      #expect(total("dualsend.events.dropped", [("reason", "tooLarge")]) == 1)
      #expect(total("dualsend.events.dropped", [("reason", "purged")]) == 3)
    }
  }

  @Test("count every request that is sent again, as the statistics do: after a failure, and in halves")
  func retries() async throws {
    try await withMetricsFactory(metrics) {
      let bench = try Bench(ScriptedTransport([.success(.status(503)), .success(.status(413))]))
      let outcomes = bench.tracker.outcomes()
      bench.tracker.sendLogs(name: "a", payloads: Array(repeating: [:] as [String: EventValue], count: 50))
      _ = await outcomes.first { if case .retry = $0 { true } else { nil } }
      await bench.tracker.flush()
      let statistics = await bench.tracker.statistics
      #expect(statistics.ledger.delivered == 50)
      #expect(statistics.retries == 2)
      #expect(total("dualsend.requests.retried") == 2)
    }
  }

  @Test("count how often the store failed, by kind, and how many databases were set aside")
  func storeFailures() async throws {
    try await withMetricsFactory(metrics) {
      let store = FailingStore()
      let bench = try Bench(storage: .custom { store })
      store.failNext(
        TrackingStoreError(kind: .full, message: "disk"), TrackingStoreError(kind: .full, message: "disk"),
        TrackingStoreError(kind: .damaged, message: "page 7"))
      bench.tracker.sendLog(name: "a", payload: [:])
      for _ in 0..<3 { await bench.tracker.persist() }
      #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 1, pending: 1))
      #expect(total("dualsend.store.failures", [("kind", "full")]) == 2)
      #expect(total("dualsend.store.failures", [("kind", "damaged")]) == 1)
      #expect(total("dualsend.store.set_aside") == 1)
    }
  }
}
