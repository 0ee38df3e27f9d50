import CustomDump
import DualSendCore
import DualSendStoreTesting
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

@Suite("The digest loop", .timeLimit(.minutes(5)))
struct DigestTests {
  @Test("starts when enough events wait")
  func countThreshold() async throws {
    let bench = try Bench(change: { $0.digest.start = .count(3) })
    let outcomes = bench.tracker.outcomes()
    bench.tracker.sendLogs(name: "a", payloads: [[:], [:]] as [[String: EventValue]])
    await bench.tracker.persist()
    #expect(bench.transport.requests.isEmpty)
    bench.tracker.sendLog(name: "a", payload: [:])
    let delivered = await outcomes.first { if case .delivered(let events) = $0 { events.count } else { nil } }
    #expect(delivered == 3)
  }

  @Test("starts when the oldest event has waited long enough")
  func timeThreshold() async throws {
    let bench = try Bench()
    let outcomes = bench.tracker.outcomes()
    bench.tracker.sendLog(name: "a", payload: [:])
    await bench.clock.untilWaits(1)
    expectNoDifference(bench.clock.pendingWaits, [.seconds(5)])
    bench.clock.advance(by: .seconds(5))
    let delivered = await outcomes.first { if case .delivered(let events) = $0 { events.count } else { nil } }
    #expect(delivered == 1)
  }

  @Test("has no timer while nothing waits")
  func idle() async throws {
    let bench = try Bench()
    bench.tracker.sendLog(name: "a", payload: [:])
    await bench.tracker.flush()
    #expect(bench.clock.pendingWaits.isEmpty)
  }

  @Test("sends at once what an earlier launch left")
  func leftovers() async throws {
    let store = InMemoryTrackingDataStore()
    let first = try Bench(storage: .custom { store })
    await first.tracker.pause()
    first.tracker.sendLog(name: "left", payload: [:])
    await first.tracker.shutdown(timeout: .zero)

    let delivered = AsyncStream.makeStream(of: Int.self)
    let second = try Bench(
      storage: .custom { store },
      change: {
        $0.observer = { if case .delivered(let events) = $0 { delivered.continuation.yield(events.count) } }
      })
    var iterator = delivered.stream.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    expectNoDifference(second.receivedNames, ["left"])
  }

  @Test("sends batches within both limits")
  func batchLimits() async throws {
    let bench = try Bench(change: {
      $0.digest.batchEvents = 4
      $0.digest.batchBytes = 500
    })
    await bench.tracker.pause()
    for _ in 0..<10 { bench.tracker.sendLog(name: "a", payload: [:]) }
    bench.tracker.sendLog(name: "big", payload: ["text": String(repeating: "x", count: 600)])
    await bench.tracker.persist()
    await bench.tracker.resume()
    await bench.tracker.flush()
    expectNoDifference(bench.transport.requests.map { $0.trackingEvents.count }, [4, 4, 2, 1])
  }

  @Test("runs once, however many callers start it")
  func singleLoop() async throws {
    let running = Locked((now: 0, most: 0))
    let transport = ScriptedTransport { _ in
      running.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      await Task.yield()
      running.withLock { $0.now -= 1 }
      return .success(.status(200))
    }
    let bench = try Bench(transport, change: { $0.digest.batchEvents = 1 })
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          bench.tracker.sendLog(name: "\(number)", payload: [:])
          await bench.tracker.flush()
        }
      }
    }
    #expect(running.current.most == 1)
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 20, delivered: 20))
  }

  @Test("gives up a flush when its time is up, and keeps the event")
  func flushTimeout() async throws {
    let bench = try Bench(ScriptedTransport(then: .failure(.connectionFailed("refused"))))
    let outcomes = bench.tracker.outcomes()
    bench.tracker.sendLog(name: "a", payload: [:])
    async let report = bench.tracker.flush(timeout: .seconds(1))
    _ = await outcomes.first { if case .retry = $0 { true } else { nil } }
    await bench.clock.untilWaits(2)
    bench.clock.advance(by: .seconds(1))
    let obstacle = Tracker.FlushReport.Obstacle.failing(.transport(.connectionFailed("refused")))
    let expected = Tracker.FlushReport(
      sent: 0, pending: 1, dropped: [:], deadLettered: 0, obstacle: obstacle,
      wait: Tracker.FlushReport.Wait(duration: .seconds(1), isAskedByServer: false))
    #expect(await report == expected)
  }

  @Test("knows what waits when a purge and a pause fall into one request", .timeLimit(.minutes(10)))
  func purgeAndPause() async throws {
    let tracker = Locked<Tracker?>(nil)
    let transport = ScriptedTransport { _ in
      if let working = tracker.withLock({ $0.take() }) {
        await working.purge()
        working.sendLog(name: "after", payload: [:])
        await working.persist()
        await working.pause()
      }
      return .success(HTTPTransportResponse(status: 200))
    }
    let bench = try Bench(transport) { $0.digest.start = .count(1) }
    await bench.tracker.pause()
    for number in 1...3 { bench.tracker.sendLog(name: "\(number)", payload: [:]) }
    await bench.tracker.persist()
    tracker.withLock { $0 = bench.tracker }
    let outcomes = bench.tracker.outcomes()
    await bench.tracker.resume()
    await bench.tracker.dispatcher.digestTask?.value
    await bench.tracker.resume()
    let delivered = await outcomes.first { outcome -> String? in
      if case .delivered(let events) = outcome, events.first?.name == "after" { "after" } else { nil }
    }
    #expect(delivered == "after")
  }
}
