import CustomDump
import DualSendCore
import DualSendStoreTesting
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

/// While a batch is on its way the next one is read. What happens to its events meanwhile must count.
@Suite("A batch that is read ahead", .timeLimit(.minutes(5)))
struct ReadAheadTests {
  /// Eight events in batches of two; `meanwhile` happens while the first batch is on its way.
  private static func deliver(
    quota: TrackerConfiguration.Quota = TrackerConfiguration.Quota(),
    meanwhile: @escaping @Sendable (Tracker) async -> Void
  ) async throws -> Bench {
    let tracker = Locked<Tracker?>(nil)
    let transport = ScriptedTransport { _ in
      let working = tracker.withLock { tracker -> Tracker? in
        defer { tracker = nil }
        return tracker
      }
      if let working { await meanwhile(working) }
      return .success(HTTPTransportResponse(status: 200))
    }
    let bench = try Bench(transport) {
      $0.digest.batchEvents = 2
      $0.quota = quota
    }
    await bench.tracker.pause()
    for number in 1...8 { bench.tracker.sendLog(name: "\(number)", payload: [:]) }
    await bench.tracker.persist()
    tracker.withLock { $0 = bench.tracker }
    await bench.tracker.resume()
    await bench.tracker.flush()
    // A purge lets the flush return at once; the loop may still have something to send.
    await bench.tracker.dispatcher.digestTask?.value
    return bench
  }

  @Test("goes next, in order, if nothing happens to it")
  func undisturbed() async throws {
    let bench = try await Self.deliver { _ in }
    expectNoDifference(bench.receivedNames, (1...8).map(String.init))
    expectNoDifference(bench.transport.requests.count, 4)
  }

  @Test("is not sent once it is purged")
  func purged() async throws {
    let bench = try await Self.deliver { await $0.purge() }
    expectNoDifference(bench.receivedNames, ["1", "2"])
    // The purge counted the first two as dropped: what was under way is not called back.
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 8, dropped: [.purged: 8]))
  }

  @Test("is not sent once the quota has pushed it out")
  func evicted() async throws {
    let bench = try await Self.deliver(quota: TrackerConfiguration.Quota(events: 8)) { tracker in
      for number in 9...11 { tracker.sendLog(name: "\(number)", payload: [:]) }
      await tracker.persist()
    }
    await bench.tracker.flush()
    expectNoDifference(bench.receivedNames, ["1", "2", "6", "7", "8", "9", "10", "11"])
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 11, delivered: 8, dropped: [.quotaCount: 3]))
  }

  @Test("goes to the endpoint that is set by then")
  func endpointChanged() async throws {
    let other = try #require(URL(string: "http://other.test/events"))
    let bench = try await Self.deliver { await $0.setEndpoint(TrackingEndpoint(url: other)) }
    expectNoDifference(
      bench.transport.requests.map(\.url.host), ["collector.test"] + Array(repeating: "other.test", count: 3))
    expectNoDifference(bench.receivedNames, (1...8).map(String.init))
  }

  @Test("and the one on its way say nothing about the store that takes a damaged one's place")
  func replaced() async throws {
    let damaged = FailingStore()
    let stores = Locked<[any TrackingDataStore]>([damaged, InMemoryTrackingDataStore()])
    let tracker = Locked<Tracker?>(nil)
    let transport = ScriptedTransport { _ in
      if let working = tracker.withLock({ $0.take() }) {
        damaged.failNext(TrackingStoreError(kind: .damaged, message: "broken"))
        for number in 9...10 { working.sendLog(name: "\(number)", payload: [:]) }
        await working.persist()
      }
      return .success(HTTPTransportResponse(status: 200))
    }
    let bench = try Bench(transport, storage: .custom { stores.withLock { $0.removeFirst() } }) {
      $0.digest.batchEvents = 2
    }
    await bench.tracker.pause()
    for number in 1...8 { bench.tracker.sendLog(name: "\(number)", payload: [:]) }
    await bench.tracker.persist()
    tracker.withLock { $0 = bench.tracker }
    await bench.tracker.resume()
    await bench.tracker.flush()
    await bench.tracker.flush()
    expectNoDifference(bench.receivedNames, ["1", "2", "9", "10"])
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 2, delivered: 2))
  }

  @Test("waits with the others when the batch before it fails")
  func failed() async throws {
    let bench = try Bench(ScriptedTransport([.success(.status(503))])) {
      $0.digest.batchEvents = 2
      $0.digest.start = .count(1)
    }
    await bench.tracker.pause()
    for number in 1...6 { bench.tracker.sendLog(name: "\(number)", payload: [:]) }
    await bench.tracker.persist()
    await bench.tracker.resume()
    while bench.transport.requests.isEmpty, !Task.isCancelled { await Task.yield() }
    await bench.isIdle()
    expectNoDifference(bench.receivedNames, ["1", "2"])
    await bench.tracker.flush()
    expectNoDifference(bench.receivedNames, ["1", "2", "1", "2", "3", "4", "5", "6"])
  }
}
