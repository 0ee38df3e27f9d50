import CustomDump
import DualSendCore
import DualSendStoreTesting
import DualSendTesting
import DualSendTracking
import Foundation
import Testing

@Suite("A clock that jumps", .timeLimit(.minutes(10)))
struct ClockJumpTests {
  /// Ten years, as a device does that lost its time; an hour, as one set to local time does when summer time begins and
  /// ends.
  static let jumps: [Duration] = [3600, 10 * 365 * 86_400].flatMap { [.seconds($0), .seconds(-$0)] }

  private func tracker(
    _ transport: ScriptedTransport, _ clock: ManualClock, _ storage: TrackerConfiguration.StoreLocation = .memory,
    quota: TrackerConfiguration.Quota = TrackerConfiguration.Quota(),
    digest: TrackerConfiguration.Digest = .init(start: .immediately)
  ) throws -> Tracker {
    let url = try #require(URL(string: "http://collector.test/events"))
    return Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: url), storage: storage, transport: transport, time: clock.timeSource
      ) {
        $0.quota = quota
        $0.digest = digest
        $0.logger = .silent
        $0.retry.randomFraction = { 1 }
      })
  }

  @Test("leaves the wait before a retry as it was", arguments: jumps)
  func retry(jump: Duration) async throws {
    let clock = ManualClock()
    let transport = ScriptedTransport([.success(HTTPTransportResponse(status: 503))])
    let tracker = try tracker(transport, clock)
    tracker.sendLog(name: "a", payload: [:])
    await clock.untilWaits(1)
    clock.jumpWall(by: jump)
    expectNoDifference(clock.pendingWaits, [.seconds(2)])
    clock.advance(by: .seconds(2))
    await tracker.flush()
    expectNoDifference(transport.receivedNames, ["a", "a"])
  }

  @Test("leaves the wait for more events as it was", arguments: jumps)
  func digest(jump: Duration) async throws {
    let clock = ManualClock()
    let tracker = try tracker(ScriptedTransport(), clock, digest: TrackerConfiguration.Digest())
    tracker.sendLog(name: "a", payload: [:])
    await clock.untilWaits(1)
    clock.jumpWall(by: jump)
    tracker.sendLog(name: "b", payload: [:])
    await tracker.persist()
    expectNoDifference(clock.pendingWaits, [.seconds(5)])
    let outcomes = tracker.outcomes()
    clock.advance(by: .seconds(5))
    for await outcome in outcomes {
      if case .delivered(let events) = outcome {
        expectNoDifference(events.map(\.name), ["a", "b"])
        break
      }
    }
  }

  @Test("leaves the order of events as it was, though not that of their times", arguments: jumps)
  func order(jump: Duration) async throws {
    let clock = ManualClock()
    let transport = ScriptedTransport()
    let tracker = try tracker(transport, clock)
    await tracker.pause()
    for name in ["before", "after", "later"] {
      tracker.sendLog(name: name, payload: [:])
      if name == "before" { clock.jumpWall(by: jump) }
    }
    await tracker.persist()
    await tracker.resume()
    await tracker.flush()
    expectNoDifference(transport.receivedNames, ["before", "after", "later"])
    expectNoDifference(transport.events[1]["eventTime"], transport.events[2]["eventTime"])
    #expect(transport.events[0]["eventTime"] != transport.events[1]["eventTime"])
  }

  @Test("lets an event expire when its time has gone by, neither sooner nor later", arguments: jumps)
  func age(jump: Duration) async throws {
    let clock = ManualClock()
    let tracker = try tracker(ScriptedTransport(), clock, quota: TrackerConfiguration.Quota(age: .seconds(1800)))
    await tracker.pause()
    tracker.sendLog(name: "old", payload: [:])
    await tracker.persist()
    clock.jumpWall(by: jump)
    clock.advance(by: .seconds(1799))
    tracker.sendLog(name: "young", payload: [:])
    await tracker.persist()
    let before = await tracker.statistics.ledger
    expectNoDifference(before, TrackingLedger(accepted: 2, pending: 2))
    clock.advance(by: .seconds(2))
    tracker.sendLog(name: "young", payload: [:])
    await tracker.persist()
    let after = await tracker.statistics.ledger
    expectNoDifference(after, TrackingLedger(accepted: 3, dropped: [.quotaAge: 1], pending: 2))
  }

  @Test("leaves a Retry-After as it was", arguments: jumps)
  func retryAfter(jump: Duration) async throws {
    let clock = ManualClock()
    let transport = ScriptedTransport([.success(HTTPTransportResponse(status: 429, headers: ["Retry-After": "100"]))])
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
    let transport = ScriptedTransport([.success(HTTPTransportResponse(status: 503, headers: ["Retry-After": "600"]))])
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
    expectNoDifference(ledger, TrackingLedger(accepted: 1, delivered: 1))
  }

  @Test("in a day without network costs no event, and all arrive in order", arguments: jumps + [.zero])
  func offlineDay(jump: Duration) async throws {
    let clock = ManualClock()
    let isOnline = Locked(false)
    let transport = ScriptedTransport { _ in
      isOnline.current ? .success(HTTPTransportResponse(status: 200)) : .failure(.connectionFailed("offline"))
    }
    let tracker = try tracker(transport, clock)
    for hour in 0..<24 {
      tracker.sendLog(name: "\(hour)", payload: [:])
      await tracker.persist()
      if hour == 12 { clock.jumpWall(by: jump) }
      clock.advance(by: .seconds(3600))
    }
    // The last attempt without network is over, and its wait begun: no clock would end a wait that begins in the flush.
    await clock.untilWaits(1)
    isOnline.withLock { $0 = true }
    await tracker.flush()
    expectNoDifference(transport.receivedNames.suffix(24), (0..<24).map(String.init))
    let ledger = await tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 24, delivered: 24))
  }
}
