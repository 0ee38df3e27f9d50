import CustomDump
import DualSendCore
import DualSendStoreTesting
import DualSendTesting
import DualSendTracking
import Foundation
import Testing

/// What a tracker does right after a fault, where the long way round would hide it.
@Suite("After a fault", .timeLimit(.minutes(10)))
struct RecoveryTests {
  private let clock = ManualClock()
  private let store = FailingStore()
  private let damage = TrackingStoreError(kind: .damaged, message: "page 7")

  private func tracker(
    _ transport: ScriptedTransport = ScriptedTransport(), batchEvents: Int = 500,
    observer: (@Sendable (TrackingOutcome) -> Void)? = nil
  ) throws -> Tracker {
    let url = try #require(URL(string: "http://collector.test/events"))
    return Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: url), storage: .custom { [store] in store }, transport: transport,
        time: clock.timeSource
      ) {
        $0.digest = TrackerConfiguration.Digest(batchEvents: batchEvents)
        $0.observer = observer
        $0.logger = .silent
      })
  }

  @Test("the fresh database takes the event that the damaged one did not")
  func commitAfterDamage() async throws {
    let setAside = Locked(0)
    let tracker = try tracker(observer: { if case .databaseSetAside = $0 { setAside.withLock { $0 += 1 } } })
    store.failNext(damage)
    tracker.sendLog(name: "a", payload: [:])
    let unsaved = await tracker.persist()
    expectNoDifference(unsaved, 0)
    expectNoDifference(setAside.current, 1)
  }

  @Test("a disk that damages the fresh database too is left alone until the timer")
  func damagedAgain() async throws {
    let tracker = try tracker()
    store.failNext(damage, damage, damage)
    tracker.sendLog(name: "a", payload: [:])
    let unsaved = await tracker.persist()
    expectNoDifference(unsaved, 1)
    await clock.untilWaits(1)
    clock.advance(by: .seconds(60))
    let report = await tracker.flush()
    expectNoDifference(report.pending, 0)
  }

  @Test("a purge during a request does not keep later events from being sent")
  func purgeDuringRequest() async throws {
    let tracker = Locked<Tracker?>(nil)
    let transport = ScriptedTransport { request in
      guard request.trackingEvents.map({ $0["eventName"] }) == ["a"] else {
        return .success(HTTPTransportResponse(status: 200))
      }
      await tracker.current?.purge()
      tracker.current?.sendLog(name: "c", payload: [:])
      await tracker.current?.persist()
      return .success(HTTPTransportResponse(status: 503))
    }
    let subject = try self.tracker(transport)
    tracker.withLock { $0 = subject }
    defer { tracker.withLock { $0 = nil } }
    let outcomes = subject.outcomes()
    subject.sendLog(name: "a", payload: [:])
    await subject.persist()
    await clock.untilWaits(1)
    clock.advance(by: .seconds(5))
    for await outcome in outcomes {
      if case .retry = outcome { break }
    }
    await clock.untilWaits(1)
    clock.advance(by: .seconds(300))
    for await outcome in outcomes {
      if case .delivered(let events) = outcome, events.map(\.name) == ["c"] { break }
    }
    expectNoDifference(transport.receivedNames.last, "c")
  }

  @Test("the statistics of a new launch begin with what earlier ones counted")
  func statisticsAtLaunch() async throws {
    let first = try tracker()
    first.sendLog(name: "a", payload: [:])
    await first.shutdown()
    let ledger = await (try tracker()).statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 1, delivered: 1))
  }

  @Test("a tracker that is shut down stays so, and keeps its ledger, whatever is called")
  func afterShutdown() async throws {
    let tracker = try tracker()
    tracker.sendLog(name: "a", payload: [:])
    await tracker.shutdown()
    let report = await tracker.flush()
    expectNoDifference(report.obstacle, nil)
    await tracker.shutdown()
    let ledger = await tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 1, delivered: 1))
  }
}
