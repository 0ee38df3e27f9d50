import CustomDump
import DualSendCore
import DualSendStoreTesting
import DualSendTesting
import Foundation
import GRDB
import Testing

@testable import DualSendTracking

/// Timers, gates and back-off as an app has them that never calls `flush()`.
@Suite("A tracker that is left alone", .timeLimit(.minutes(5)))
struct WithoutFlushTests {
  private static let offline = ScriptedTransport.Answer.failure(.connectionFailed("offline"))
  private static let ok = ScriptedTransport.Answer.success(HTTPTransportResponse(status: 200))

  /// The waits after failures, as the outcomes report them.
  private func wait(_ outcomes: AsyncStream<TrackingOutcome>) async -> Duration? {
    await outcomes.first { if case .retry(_, let wait) = $0 { wait } else { nil } }
  }

  @Test("begins its back-off anew after a success")
  func backoff() async throws {
    let bench = try Bench(ScriptedTransport([Self.offline, Self.offline, Self.ok, Self.offline, Self.ok])) {
      $0.digest.start = .immediately
    }
    let outcomes = bench.tracker.outcomes()
    bench.tracker.sendLog(name: "a", payload: [:])
    for expected in [Duration.seconds(2), .seconds(4)] {
      #expect(await wait(outcomes) == expected)
      await bench.clock.untilWaits(1)
      bench.clock.advance(by: expected)
    }
    _ = await outcomes.first { if case .delivered = $0 { true } else { nil } }
    bench.tracker.sendLog(name: "b", payload: [:])
    #expect(await wait(outcomes) == .seconds(2))
    await bench.clock.untilWaits(1)
    bench.clock.advance(by: .seconds(2))
    _ = await outcomes.first { if case .delivered = $0 { true } else { nil } }
    expectNoDifference(bench.receivedNames, ["a", "a", "a", "b", "b"])
  }

  @Test("waits no longer for a later wake-up when an earlier one comes up")
  func earlier() async throws {
    let bench = try Bench(ScriptedTransport([.success(.status(401))])) {
      $0.digest.start = .interval(.seconds(100))
      $0.retry.pauseAfterRefusal = .seconds(3600)
    }
    let outcomes = bench.tracker.outcomes()
    bench.tracker.sendLog(name: "a", payload: [:])
    await bench.clock.untilWaits(1)
    bench.clock.advance(by: .seconds(100))
    _ = await outcomes.first { if case .paused = $0 { true } else { nil } }
    await bench.clock.untilWaits(1)
    #expect(bench.clock.pendingWaits == [.seconds(3600)])
    // Ends the pause: the event that comes now is due before the end that was planned.
    await bench.tracker.resume()
    _ = await outcomes.first { if case .delivered = $0 { true } else { nil } }
    bench.tracker.sendLog(name: "b", payload: [:])
    await bench.tracker.persist()
    await bench.clock.untilWaits(1)
    #expect(bench.clock.pendingWaits.min() == .seconds(100))
    bench.clock.advance(by: .seconds(100))
    _ = await outcomes.first { if case .delivered = $0 { true } else { nil } }
    expectNoDifference(bench.receivedNames, ["a", "a", "b"])
  }

  @Test("has an earlier wake-up replace a later one")
  func replaced() async throws {
    // A refused event rests for an hour; another one is due after five seconds.
    let transport = ScriptedTransport { request in
      let isBad = String(decoding: request.body ?? [], as: UTF8.self).contains("bad")
      return .success(HTTPTransportResponse(status: isBad ? 400 : 200))
    }
    let bench = try Bench(transport) { $0.digest.start = .interval(.seconds(5)) }
    bench.tracker.sendLog(name: "bad", payload: [:])
    await bench.clock.untilWaits(1)
    bench.clock.advance(by: .seconds(5))
    while bench.clock.pendingWaits.isEmpty, !Task.isCancelled { await Task.yield() }
    #expect(bench.clock.pendingWaits.min() ?? .zero > .seconds(60))
    let outcomes = bench.tracker.outcomes()
    bench.tracker.sendLog(name: "good", payload: [:])
    await bench.tracker.persist()
    await bench.clock.untilWaits(1)
    #expect(bench.clock.pendingWaits.min() == .seconds(5))
    bench.clock.advance(by: .seconds(5))
    _ = await outcomes.first { if case .delivered = $0 { true } else { nil } }
    #expect(bench.receivedNames.contains("good"))
    await bench.tracker.shutdown(timeout: .zero)
  }

  @Test("sends a refused event again when its rest is over")
  func rested() async throws {
    let bench = try Bench(ScriptedTransport { _ in .success(.status(400)) }) {
      $0.digest.start = .count(1)
      $0.retry.pauseAfterRefusal = .seconds(3600)
    }
    bench.tracker.sendLog(name: "bad", payload: [:])
    for attempt in 1...3 {
      while !bench.clock.pendingWaits.contains(.seconds(3600)), !Task.isCancelled { await Task.yield() }
      #expect(bench.transport.requests.count == attempt)
      bench.clock.advance(by: .seconds(3600))
    }
    #expect(await bench.tracker.statistics.ledger.pending == 1)
    await bench.tracker.shutdown(timeout: .zero)
  }

  @Test("sends dead letters that were put back")
  func putBack() async throws {
    let isRefused = Locked(true)
    let transport = ScriptedTransport { request in
      let isBad = String(decoding: request.body ?? [], as: UTF8.self).contains("bad")
      return .success(.status(isBad && isRefused.current ? 400 : 200))
    }
    let bench = try Bench(transport) { $0.digest.start = .count(1) }
    let outcomes = bench.tracker.outcomes()
    for name in ["bad", "good"] { bench.tracker.sendLog(name: name, payload: [:]) }
    _ = await outcomes.first { if case .deadLettered = $0 { true } else { nil } }
    isRefused.withLock { $0 = false }
    #expect(try await bench.tracker.retryDeadLetters() == 1)
    _ = await outcomes.first { if case .delivered = $0 { true } else { nil } }
    #expect(bench.receivedNames.last == "bad")
    await bench.tracker.shutdown(timeout: .zero)
  }

  @Test("commits what did not fit as soon as a delivery has made room")
  func roomMade() async throws {
    let store = FailingStore(time: ManualClock().timeSource)
    let transport = ScriptedTransport { _ in
      store.failUntilToldOtherwise(nil)
      return .success(.status(200))
    }
    let bench = try Bench(transport, storage: .custom { store }) { $0.digest.start = .count(2) }
    bench.tracker.sendLog(name: "first", payload: [:])
    await bench.tracker.persist()
    store.failUntilToldOtherwise(TrackingStoreError(kind: .full, message: "full"))
    bench.tracker.sendLog(name: "second", payload: [:])
    // The wait after the failure does not end, because nothing turns the clock.
    while store.ledger().accepted < 2, !Task.isCancelled { await Task.yield() }
    #expect(store.ledger().accepted == 2)
    await bench.tracker.shutdown(timeout: .zero)
  }

  private final class Listener: TrackerHold {
    let events = Locked<[Int]>([])
    var suspension: TrackerSuspension { .none }
    func add(_: Tracker) {}
    func handle(_ event: TrackerEvent, from _: Tracker.Identity) {
      if case .refused(let count) = event { events.withLock { $0.append(count) } }
    }
  }

  @Test("tells its breaker of each refused event, also of one alone", arguments: [1, 2])
  func refused(count: Int) async throws {
    let transport = ScriptedTransport { request in
      let bad = request.trackingEvents.compactMap { event -> String? in
        guard case .string("bad")? = event["eventName"], case .string(let id)? = event["eventId"] else { return nil }
        return #"{"eventId":"\#(id)","reason":"bad"}"#
      }
      return .success(.status(200, body: #"{"rejected":[\#(bad.joined(separator: ","))]}"#))
    }
    let listener = Listener()
    let bench = try Bench(transport) {
      $0.digest.start = .count(count + 1)
      $0.hold = listener
    }
    for name in Array(repeating: "bad", count: count) + ["good"] { bench.tracker.sendLog(name: name, payload: [:]) }
    while await bench.tracker.statistics.ledger.deadLettered < count, !Task.isCancelled { await Task.yield() }
    #expect(listener.events.current.reduce(0, +) == count)
    await bench.tracker.shutdown(timeout: .zero)
  }

  @Test("commits at its shutdown what did not fit while the store was full")
  func fullAtShutdown() async throws {
    let clock = ManualClock()
    let store = FailingStore(time: clock.timeSource)
    let bench = try Bench(storage: .custom { store }) { $0.digest.start = .onDemand }
    bench.tracker.sendLog(name: "first", payload: [:])
    await bench.tracker.persist()
    store.failUntilToldOtherwise(TrackingStoreError(kind: .full, message: "full"))
    bench.tracker.sendLog(name: "second", payload: [:])
    #expect(await bench.tracker.persist() == 1)
    store.failUntilToldOtherwise(nil)
    #expect(await bench.tracker.shutdown().pending == 0)
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 2, delivered: 2))
  }

  @Test("keeps a database whose events could not be copied, and takes them over when that works")
  func leftover() async throws {
    let folder = try TemporaryFolder()
    let files = [folder.file("db.sqlite"), folder.file("db-2.sqlite")]
    for (number, file) in files.enumerated() {
      let store = try SQLiteTrackingDataStore(file: file)
      let event = TrackingData(
        TrackingEvent(id: EventID(high: 1, low: UInt64(number)), time: 1, name: "\(number)", payload: [:]))
      _ = try store.append([event], dropped: [:], inFlight: nil)
      store.close()
    }
    func run(_ sql: String) throws { try DatabaseQueue(path: files[0].path).write { try $0.execute(sql: sql) } }
    try run("CREATE TRIGGER refuse BEFORE INSERT ON event BEGIN SELECT RAISE(ABORT, 'no'); END")
    let location = TrackerConfiguration.StoreLocation.file(files[0])
    let time = ManualClock().timeSource
    // In a function, because the lock ends with the store.
    func pending() throws -> Int {
      try location.open(quota: TrackerConfiguration.Quota(), time: time).ledger().pending
    }
    #expect(try pending() == 1)
    #expect(FileManager.default.fileExists(atPath: files[1].path))
    try run("DROP TRIGGER refuse")
    #expect(try pending() == 2)
    #expect(!FileManager.default.fileExists(atPath: files[1].path))
  }
}
