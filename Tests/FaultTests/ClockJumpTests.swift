import CustomDump
import DualSendTesting
import Foundation
import Platform
import Testing
import Tracking

@Suite("A clock that jumps by ten years", .timeLimit(.minutes(1)))
struct ClockJumpTests {
  static let jumps: [Duration] = [.seconds(10 * 365 * 86_400), .seconds(-10 * 365 * 86_400)]

  private func tracker(
    _ transport: ScriptedTransport, _ clock: ManualClock, _ storage: TrackerStorage = .memory
  ) throws -> Tracker {
    let url = try #require(URL(string: "http://collector.test/events"))
    return Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: url), storage: storage,
        digest: TrackerConfiguration.Digest(eventCount: 1, longestWait: .zero), logger: .silent, transport: transport,
        time: clock.timeSource, randomFraction: { 1 }))
  }

  @Test("leaves the wait before a retry as it was", arguments: jumps)
  func retry(jump: Duration) async throws {
    let clock = ManualClock()
    let transport = ScriptedTransport([.success(HTTPResponse(status: 503))])
    let tracker = try tracker(transport, clock)
    tracker.sendLog(name: "a", payload: [:])
    await clock.untilWaits(1)
    clock.jumpWall(by: jump)
    expectNoDifference(clock.pendingWaits, [.seconds(2)])
    clock.advance(by: .seconds(2))
    await tracker.flush()
    expectNoDifference(transport.receivedNames, ["a", "a"])
  }

  @Test("leaves a Retry-After as it was", arguments: jumps)
  func retryAfter(jump: Duration) async throws {
    let clock = ManualClock()
    let transport = ScriptedTransport([.success(HTTPResponse(status: 429, headers: ["Retry-After": "100"]))])
    let tracker = try tracker(transport, clock)
    tracker.sendLog(name: "a", payload: [:])
    await clock.untilWaits(1)
    clock.jumpWall(by: jump)
    expectNoDifference(clock.pendingWaits, [.seconds(100)])
    clock.advance(by: .seconds(100))
    await tracker.flush()
    expectNoDifference(transport.receivedNames, ["a", "a"])
  }

  @Test("between launches makes a Retry-After last an hour at most, over all launches together", arguments: jumps)
  func retryAfterAcrossLaunches(jump: Duration) async throws {
    let clock = ManualClock()
    let store = InMemoryTrackingDataStore(time: clock.timeSource)
    let transport = ScriptedTransport([.success(HTTPResponse(status: 503, headers: ["Retry-After": "600"]))])
    let first = try tracker(transport, clock, .custom { store })
    first.sendLog(name: "a", payload: [:])
    await clock.untilWaits(1)
    await first.shutdown(timeout: .zero)
    clock.jumpWall(by: jump)
    for _ in 0..<3 {
      let launch = try tracker(transport, clock, .custom { store })
      _ = await launch.statistics
      clock.advance(by: .seconds(1200))
      await launch.shutdown(timeout: .zero)
    }
    let last = try tracker(transport, clock, .custom { store })
    await last.flush()
    let ledger = await last.statistics.ledger
    expectNoDifference(ledger, Ledger(accepted: 1, delivered: 1))
  }

  @Test("expires nothing in a tracker that lives through it, and a day without network loses nothing", arguments: jumps)
  func offlineDay(jump: Duration) async throws {
    let clock = ManualClock()
    let isOnline = Locked(false)
    let transport = ScriptedTransport { _ in
      isOnline.current ? .success(HTTPResponse(status: 200)) : .failure(.connectionFailed("offline"))
    }
    let tracker = try tracker(transport, clock)
    for hour in 0..<24 {
      tracker.sendLog(name: "\(hour)", payload: [:])
      await tracker.persist()
      if hour == 12 { clock.jumpWall(by: jump) }
      clock.advance(by: .seconds(3600))
    }
    isOnline.withLock { $0 = true }
    await tracker.flush()
    let ledger = await tracker.statistics.ledger
    expectNoDifference(ledger, Ledger(accepted: 24, delivered: 24))
  }
}
