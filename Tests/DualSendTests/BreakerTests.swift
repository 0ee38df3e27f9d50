import DualSendCore
import DualSendRollout
import DualSendStoreTesting
import DualSendTesting
import DualSendTracking
import Foundation
import Testing

@testable import DualSend

@Suite("The breaker", .timeLimit(.minutes(5)))
struct BreakerTests {
  @Test("gives the old logger everything after three early ends, and touches neither the store nor the network")
  func earlyEnds() async throws {
    let storage = BreakerBench.afterEarlyEnds(3)
    let opened = Locked(0)
    let server = ScriptedTransport()
    let bench = try BreakerBench(
      storage,
      storage: .custom {
        opened.withLock { $0 += 1 }
        return FailingStore()
      }, server: server)
    bench.logger.logEvents(name: "a", parameters: ["n": 1])
    let decision = bench.logger.decision(for: "a")
    #expect((decision.outcome, decision.newTrackerReason) == (.oldOnly, .breaker))
    let report = await bench.logger.tracker.flush()
    #expect((report.obstacle, report.sent) == (.paused(.breaker), 0))
    #expect(await bench.logger.tracker.statistics.delivery == .paused(.breaker))
    #expect(bench.oldDecisions == ["12:old:breaker"])
    #expect(opened.current == 0)
    #expect(server.events.isEmpty)
    #expect(bench.logger.breaker?.opening?.detail == "3 launches in a row ended early")
    #expect(bench.openings.current == [bench.logger.breaker?.opening])
    await bench.end()
  }

  @Test("leaves an event that is retired on purpose retired")
  func retired() async throws {
    let storage = BreakerBench.afterEarlyEnds(3)
    let bench = try BreakerBench(
      storage,
      rollout: #"""
        "shouldSendLogToNewTracker": 100, "rules": [{"match": {"events": ["gone"]},
          "shouldSendLogToOldLogger": 0, "shouldSendLogToNewTracker": 0, "allowNeither": true}]
        """#)
    bench.logger.logEvents(name: "gone", parameters: [[:]])
    bench.logger.logEvents(name: "b", parameters: [[:]])
    #expect(bench.old.entries.map(\.name) == ["b"])
    #expect(bench.oldDecisions == ["12:old:breaker"])
    await bench.end()
  }

  @Test("a launch that lasts is no early end, whatever the wall clock does", arguments: [-1_000_000, 0, 1_000_000])
  func healthy(jump: Int) async throws {
    let storage = BreakerBench.afterEarlyEnds(2)
    let bench = try BreakerBench(storage)
    #expect(bench.record?.earlyEnds == 2)
    #expect(bench.record?.launching != nil)
    bench.clock.jumpWall(by: .seconds(jump))
    // Others wait for ten seconds too: the clock goes on until the launch has lasted.
    while bench.record?.launching != nil {
      bench.clock.advance(by: .seconds(10))
      await Task.yield()
    }
    #expect(bench.record?.earlyEnds == 0)
    await bench.end()
  }

  @Test("the launches of several adapters in one process are one, whether they live at once or one after the other")
  func oneProcess() async throws {
    let storage = ByteStorage.memory()
    var benches: [BreakerBench] = []
    for _ in 0..<4 { benches.append(try BreakerBench(storage)) }
    #expect(benches.allSatisfy { $0.logger.breaker?.opening == nil })
    #expect(benches.last?.record?.earlyEnds == 0)
    for bench in benches { await bench.end() }
    #expect(benches.last?.record?.launching == nil)
    #expect(try BreakerBench(storage).record?.earlyEnds == 0)
  }

  @Test("counts nothing where an orderly end cannot be told from a crash", arguments: [false, true])
  func unknownEnds(appReportsEnds: Bool) async throws {
    let storage = BreakerBench.afterEarlyEnds(3)
    let bench = try BreakerBench(storage) { $0.appReportsEnds = appReportsEnds }
    #expect(bench.logger.breaker?.opening?.cause == (appReportsEnds ? .earlyEnds : nil))
    #expect(bench.record?.launching == nil)
    await bench.end()
  }

  @Test("an app says that its launch is healthy, or that it ends in order", arguments: [true, false])
  func toldByTheApp(isHealthy: Bool) async throws {
    let storage = BreakerBench.afterEarlyEnds(2)
    let bench = try BreakerBench(storage)
    if isHealthy { bench.logger.breaker?.launchIsHealthy() } else { bench.logger.breaker?.launchEnded() }
    await bench.isStored { $0.launching == nil }
    #expect(bench.record?.earlyEnds == (isHealthy ? 0 : 2))
    await bench.end()
  }

  @Test("a record that cannot be read is left as it is, and the launch is not counted")
  func unreadable() async throws {
    struct LockedDevice: Error {}
    let written = Locked(0)
    let storage = ByteStorage {
      throw LockedDevice()
    } write: { _ in
      written.withLock { $0 += 1 }
    }
    let bench = try BreakerBench(storage)
    #expect(bench.logger.breaker?.opening == nil)
    #expect(written.current == 0)
    await bench.end()
  }

  @Test("another revision during a launch leaves the launch on trial")
  func revisionOnTrial() async throws {
    let bench = try BreakerBench(BreakerBench.afterEarlyEnds(2))
    let fetcher = try #require(bench.logger.fetcher)
    await fetcher.offer(
      BreakerBench.document(#""shouldSendLogToOldLogger": 0, "shouldSendLogToNewTracker": 100"#, revision: 13))
    await fetcher.activate()
    bench.logger.logEvents(name: "a", parameters: [[:]])
    await bench.isStored { $0.revision == 13 }
    #expect(bench.record?.launching != nil)
    #expect(bench.record?.earlyEnds == 0)
    await bench.end()
  }

  @Test("an event for the new tracker alone goes to the old logger while it is open")
  func scoped() async throws {
    let bench = try BreakerBench(BreakerBench.afterEarlyEnds(3))
    bench.logger.log(EventCall(name: "new only", values: .sendable([:]), scope: .only([.newTracker])))
    #expect(bench.old.entries.map(\.name) == ["new only"])
    await bench.end()
  }

  @Test("a shutdown ends the launch in order and leaves the count")
  func shutdown() async throws {
    let storage = BreakerBench.afterEarlyEnds(2)
    let bench = try BreakerBench(storage)
    await bench.end()
    #expect(bench.record?.launching == nil)
    #expect(bench.record?.earlyEnds == 2)
  }

  @Test("another revision closes it while the app runs; and what waited is delivered")
  func otherRevision() async throws {
    let storage = BreakerBench.afterEarlyEnds(3)
    let server = ScriptedTransport()
    let store = FailingStore()
    let bench = try BreakerBench(storage, storage: .custom { store }, server: server)
    bench.logger.logEvents(name: "before", parameters: [[:]])
    let fetcher = try #require(bench.logger.fetcher)
    let document = BreakerBench.document(
      #""shouldSendLogToOldLogger": 0, "shouldSendLogToNewTracker": 100"#, revision: 13)
    await fetcher.offer(document)
    await fetcher.activate()
    bench.logger.logEvents(name: "after", parameters: [[:]])
    #expect(bench.old.entries.map(\.name) == ["before"])
    await bench.isStored { $0.opening == nil }
    #expect(bench.openings.current.map { $0?.cause } == [.earlyEnds, nil])
    #expect(bench.openings.current.first??.revision == 12)
    await bench.logger.flush()
    #expect(server.events.map { $0["eventName"] } == ["after"])
    await bench.end()
  }

  @Test("writes nothing while it is off")
  func off() async throws {
    let names = Locked<Set<String>>([])
    let url = try #require(URL(string: "https://ops.test/rollout.json"))
    let logger = DualSendTracker(oldLogger: RecordingOldLogger(), collector: url, rollout: url) { configuration in
      #expect(configuration.breaker == nil)
      configuration.tracker.storage = .memory
      configuration.transport = ScriptedTransport()
      configuration.storage = { name in
        names.withLock { _ = $0.insert(name) }
        return .memory()
      }
      configuration.unitID = { nil }
    }
    logger.logEvents(name: "a", parameters: [[:]])
    await logger.fetcher?.stop()
    await logger.shutdown()
    #expect(logger.breaker?.opening == nil)
    #expect(!names.current.contains("breaker"))
  }

  @Test("holds parts that an app creates itself: custom stores, its own rollout source, further sinks and a sink group")
  func ownParts() async throws {
    let (storage, clock, old) = (BreakerBench.afterEarlyEnds(3), ManualClock(), RecordingOldLogger())
    let rollout = MutableRollout(try BreakerBench.snapshot(revision: 12))
    var settings = DualSendTracker.Breaker.Settings.on
    (settings.appReportsEnds, settings.appVersion) = (true, "25.4")
    let breaker = DualSendTracker.Breaker(settings, rollout: rollout, storage: storage, time: clock.timeSource)
    let opened = Locked(0)
    let received = Locked<[String]>([])
    let sink = { (id: Sink.ID) in
      Sink.buffered(id) {
        $0.storage = .custom {
          opened.withLock { $0 += 1 }
          return FailingStore()
        }
        $0.time = clock.timeSource
        breaker.hold(&$0)
      } receive: { events in
        received.withLock { names in names += events.map { "\(id.rawValue): \($0.name)" } }
      }
    }
    let url = try #require(URL(string: "https://ops.test/events"))
    var configuration = TrackerConfiguration(
      endpoint: TrackingEndpoint(url: url),
      storage: .custom {
        opened.withLock { $0 += 1 }
        return FailingStore()
      }, transport: ScriptedTransport(), time: clock.timeSource)
    breaker.hold(&configuration)
    let logger = DualSendTracker(
      oldLogger: old, tracker: Tracker(configuration: configuration), rollout: rollout, unitID: { "unit" }
    ) {
      $0.newSinks = [sink("archive")]
      $0.time = clock.timeSource
      $0.breaker = breaker
    }
    let group = SinkGroup([sink("group")], time: clock.timeSource)
    logger.logEvents(name: "before", parameters: [[:]])
    group.log("waits")
    #expect(await logger.flush().values.map(\.obstacle) == [.paused(.breaker), .paused(.breaker)])
    #expect(await group.flush().values.map(\.obstacle) == [.paused(.breaker)])
    #expect(opened.current == 0)
    #expect(old.entries.map(\.name) == ["before"])
    rollout.set(try BreakerBench.snapshot(revision: 13))
    logger.logEvents(name: "after", parameters: [[:]])
    while await logger.flush().values.contains(where: { $0.obstacle != nil }) { await Task.yield() }
    while await group.flush().values.contains(where: { $0.obstacle != nil }) { await Task.yield() }
    #expect(opened.current == 3)
    #expect(Set(received.current) == ["archive: after", "group: waits"])
    #expect(old.entries.map(\.name) == ["before"])
    #expect(logger.breaker?.opening == nil)
    await logger.shutdown(timeout: .zero)
    await group.shutdown(timeout: .zero)
  }

  @Test("judges the adapter's tracker alone: the failures of another sink's store open nothing")
  func otherSinks() async throws {
    let rollout = MutableRollout(try BreakerBench.snapshot(revision: 12))
    var settings = DualSendTracker.Breaker.Settings.on
    settings.storeFailure = .zero
    let breaker = DualSendTracker.Breaker(settings, rollout: rollout, storage: .memory())
    let store = FailingStore()
    store.failUntilToldOtherwise(TrackingStoreError(kind: .full, message: "no space"))
    let sink = Sink.buffered("archive") {
      $0.storage = .custom { store }
      breaker.hold(&$0)
    } receive: { _ in
    }
    let url = try #require(URL(string: "https://ops.test/events"))
    var configuration = TrackerConfiguration(
      endpoint: TrackingEndpoint(url: url), storage: .memory, transport: ScriptedTransport())
    breaker.hold(&configuration)
    let logger = DualSendTracker(
      oldLogger: RecordingOldLogger(), tracker: Tracker(configuration: configuration), rollout: rollout, unitID: { nil }
    ) {
      $0.newSinks = [sink]
      $0.breaker = breaker
    }
    sink.tracker?.sendLog(name: "a")
    await logger.flush(timeout: .zero)
    #expect(breaker.opening == nil)
    await logger.shutdown(timeout: .zero)
  }

  @Test("deletes what the user wants deleted, whatever it keeps closed")
  func consent() async throws {
    let storage = BreakerBench.afterEarlyEnds(3)
    let store = FailingStore()
    _ = try store.append(
      [TrackingData(TrackingEvent(id: EventID(high: 1, low: 1), time: 1, name: "a", payload: [:]))], dropped: [:],
      inFlight: nil)
    let bench = try BreakerBench(storage, storage: .custom { store })
    await bench.logger.setConsent(.denied)
    #expect(store.ledger().dropped == [.consentDenied: 1])
    await bench.end()
  }

  @Test("closes by hand, and counts from 0 then")
  func byHand() async throws {
    let storage = BreakerBench.afterEarlyEnds(3)
    let bench = try BreakerBench(storage)
    bench.logger.breaker?.close()
    #expect(bench.logger.decision(for: "a").outcome == .newOnly)
    await bench.isStored { $0.opening == nil && $0.earlyEnds == 0 }
    await bench.end()
  }
}
