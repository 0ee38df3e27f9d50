import CustomDump
import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

@Suite("A collector that rejects every event", .timeLimit(.minutes(10)))
struct RejectionTests {
  /// Rejects while `isBroken`, and for ever what is named `bad`.
  private func collector(_ isBroken: Locked<Bool>, status: Int = 400) -> ScriptedTransport {
    ScriptedTransport { request in
      let names = request.trackingEvents.map { $0["eventName"] }
      return .success(.status(isBroken.current || names.contains("bad") ? status : 200))
    }
  }

  private func send(_ names: [String], _ bench: Bench) async {
    for name in names { bench.tracker.sendLog(name: name, payload: [:]) }
    await bench.tracker.flush()
  }

  @Test("costs no event, in however many launches, and gets them all once it is repaired", arguments: [400, 413, 422])
  func manyLaunches(status: Int) async throws {
    let folder = try TemporaryFolder()
    let isBroken = Locked(true)
    for launch in 0..<5 {
      let bench = try Bench(collector(isBroken, status: status), storage: .file(folder.file("db")))
      await send((0..<60).map { "\(launch).\($0)" }, bench)
      await bench.tracker.shutdown()
    }
    isBroken.withLock { $0 = false }
    let bench = try Bench(collector(isBroken), storage: .file(folder.file("db")))
    await send(["last"], bench)
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 301, delivered: 301))
  }

  @Test("is asked with one event after the pause, which stays where it is")
  func probe() async throws {
    let isBroken = Locked(true)
    let bench = try Bench(collector(isBroken))
    await send((0..<150).map(String.init), bench)
    let before = bench.transport.requests.count
    let outcomes = bench.tracker.outcomes()
    await bench.clock.untilWaits(1)
    bench.clock.advance(by: .seconds(3600))
    _ = await outcomes.first { if case .paused = $0 { true } else { nil } }
    let probes = bench.transport.requests.dropFirst(before).map(\.trackingEvents)
    #expect(probes.allSatisfy { $0.count == 1 })
    #expect(probes.first?.first?["eventName"] == "0")
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 150, pending: 150))
  }

  @Test("is asked with another event each time, so that one that is truly bad does not stand for all")
  func badProbe() async throws {
    let isBroken = Locked(true)
    let bench = try Bench(collector(isBroken))
    await send(["bad"] + (0..<150).map(String.init), bench)
    isBroken.withLock { $0 = false }
    for _ in 0..<102 where await bench.tracker.statistics.ledger.pending > 0 {
      bench.clock.advance(by: .seconds(3600))
      await bench.tracker.flush()
    }
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 151, delivered: 150, deadLettered: 1))
  }

  @Test("is told from one that rejects a long run of bad events: those become dead letters in the end")
  func longBadRun() async throws {
    let bench = try Bench(collector(Locked(false)))
    await send((0..<30).map { "a\($0)" } + Array(repeating: "bad", count: 350) + (0..<30).map { "b\($0)" }, bench)
    for _ in 0..<500 where await bench.tracker.statistics.ledger.pending > 0 {
      bench.clock.advance(by: .seconds(3600))
      await bench.tracker.flush()
    }
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 410, delivered: 60, deadLettered: 350))
  }

  /// Answers 200 and rejects every id while `isBroken`, and for ever those of what is named `bad`.
  private func naming(_ isBroken: Locked<Bool>) -> ScriptedTransport {
    ScriptedTransport { request in
      let rejected = request.trackingEvents.filter { isBroken.current || $0["eventName"] == "bad" }
      let entries = rejected.compactMap { event -> String? in
        guard case .string(let id)? = event["eventId"] else { return nil }
        return #"{"eventId":"\#(id)","reason":"schema"}"#
      }
      return .success(.status(200, body: #"{"rejected":[\#(entries.joined(separator: ","))]}"#))
    }
  }

  @Test("costs no event either if it rejects each by its id, with a 200")
  func byID() async throws {
    let isBroken = Locked(true)
    let bench = try Bench(naming(isBroken))
    await send((0..<1500).map(String.init), bench)
    let statistics = await bench.tracker.statistics
    expectNoDifference(statistics.ledger, TrackingLedger(accepted: 1500, pending: 1500))
    expectNoDifference(statistics.delivery, .paused(.everythingRejected("rejected by the collector (schema)")))
    let before = bench.transport.requests.count
    bench.clock.advance(by: .seconds(3600))
    await bench.tracker.flush()
    #expect(bench.transport.requests.dropFirst(before).allSatisfy { $0.trackingEvents.count == 1 })
    isBroken.withLock { $0 = false }
    bench.clock.advance(by: .seconds(3600))
    await bench.tracker.flush()
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 1500, delivered: 1500))
  }

  @Test("is told from one that takes one event of each batch")
  func byIDWithOneTaken() async throws {
    let bench = try Bench(naming(Locked(false))) {
      $0.digest.start = .onDemand
      $0.digest.batchEvents = 50
    }
    await send((0..<300).map { $0 % 50 == 0 ? "\($0)" : "bad" }, bench)
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 300, delivered: 6, deadLettered: 294))
  }

  @Test("takes everything in order once it is repaired, in however many launches and pauses", arguments: [0, 1, 5])
  func order(pauses: Int) async throws {
    let folder = try TemporaryFolder()
    let names = (0..<6000).map(String.init)
    let isBroken = Locked(true)
    for launch in 0..<2 {
      let bench = try Bench(naming(isBroken), storage: .file(folder.file("db"))) { $0.digest.start = .onDemand }
      await send(launch == 0 ? names : [], bench)
      for _ in 0..<pauses {
        bench.clock.advance(by: .seconds(3600))
        await bench.tracker.flush()
      }
      let ledger = await bench.tracker.statistics.ledger
      expectNoDifference(ledger, TrackingLedger(accepted: 6000, pending: 6000))
      // Each pause doubles the events that are tried one by one.
      #expect(bench.transport.requests.count <= 41 << pauses)
      await bench.tracker.shutdown()
    }
    isBroken.withLock { $0 = false }
    let bench = try Bench(naming(isBroken), storage: .file(folder.file("db"))) { $0.digest.start = .onDemand }
    await bench.tracker.flush()
    expectNoDifference(bench.receivedNames, names)
    await bench.tracker.shutdown()
  }

  @Test("that refuses more than are kept is told from one that loses nothing, also after a relaunch")
  func erased() async throws {
    let folder = try TemporaryFolder()
    let storage = TrackerConfiguration.StoreLocation.file(folder.file("db"))
    let bench = try Bench(naming(Locked(false)), storage: storage) { $0.quota.deadLetters = 10 }
    await send(Array(repeating: "bad", count: 30) + ["good"], bench)
    await bench.tracker.shutdown()
    let next = try Bench(storage: storage)
    let ledger = await next.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 31, delivered: 1, deadLettered: 30, deadLettersErased: 20))
    await next.tracker.shutdown()
  }

  @Test(
    "is told from one that a single event makes fail, whatever the status; the pauses grow",
    arguments: [401, 403, 404, 418, 451, 500, 501, 503, 520])
  func oneEvent(status: Int) async throws {
    let bench = try Bench(collector(Locked(false), status: status)) { $0.digest.start = .onDemand }
    for number in 0..<100 { bench.tracker.sendLog(name: number == 37 ? "bad" : "\(number)") }
    await bench.tracker.persist()
    for hour in 0..<40 where await bench.tracker.statistics.ledger.deadLettered == 0 {
      if hour >= 15 { bench.tracker.sendLog(name: "later") }
      bench.clock.advance(by: .seconds(3600))
      await bench.tracker.flush(timeout: .zero)
      await bench.isIdle()
    }
    await bench.tracker.flush()
    let ledger = await bench.tracker.statistics.ledger
    #expect((ledger.deadLettered, ledger.pending) == (1, 0))
    #expect(bench.transport.requests.count < 45)
  }

  @Test(
    "is told from one that a single event makes fail, in launches that each last for a few pauses",
    arguments: [1, 2, 3, 8])
  func oneEventInShortLaunches(pauses: Int) async throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    var requests = 0
    for launch in 0..<24 {
      let bench = try Bench(collector(Locked(false), status: 403), storage: .file(folder.file("db")), clock: clock) {
        $0.digest.start = .onDemand
      }
      for number in 0..<100 where launch == 0 { bench.tracker.sendLog(name: number == 37 ? "bad" : "\(number)") }
      for _ in 0..<pauses {
        bench.tracker.sendLog(name: "later")
        clock.advance(by: .seconds(3600))
        await bench.tracker.flush(timeout: .zero)
        await bench.isIdle()
      }
      let ledger = await bench.tracker.statistics.ledger
      requests += bench.transport.requests.count
      await bench.tracker.shutdown(timeout: .zero)
      if ledger.deadLettered == 1 { break }
    }
    let bench = try Bench(collector(Locked(false), status: 403), storage: .file(folder.file("db")), clock: clock)
    clock.advance(by: .seconds(3600))
    await bench.tracker.flush()
    let ledger = await bench.tracker.statistics.ledger
    #expect((ledger.deadLettered, ledger.pending) == (1, 0))
    #expect(requests < 60)
    await bench.tracker.shutdown()
  }

  @Test("with any status costs no event, and is asked with whole batches again", arguments: [403, 500])
  func anyStatus(status: Int) async throws {
    let isBroken = Locked(true)
    let bench = try Bench(collector(isBroken, status: status)) { $0.digest.start = .onDemand }
    for number in 0..<100 { bench.tracker.sendLog(name: "\(number)") }
    await bench.tracker.persist()
    for _ in 0..<20 {
      bench.clock.advance(by: .seconds(3600))
      await bench.tracker.flush(timeout: .zero)
      await bench.isIdle()
    }
    #expect(bench.transport.requests.last?.trackingEvents.count == 100)
    isBroken.withLock { $0 = false }
    bench.clock.advance(by: .seconds(3600))
    await bench.tracker.flush()
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 100, delivered: 100))
    #expect(bench.transport.requests.count < 50)
  }

  @Test("gets at most 320 requests an hour")
  func bound() async throws {
    let bench = try Bench(collector(Locked(true))) { $0.digest.start = .onDemand }
    await send((0..<3000).map(String.init), bench)
    var most = 0
    for _ in 0..<9 {
      let before = bench.transport.requests.count
      bench.clock.advance(by: .seconds(3600))
      await bench.tracker.flush()
      most = max(most, bench.transport.requests.count - before)
    }
    #expect((300...321).contains(most), "\(most)")
  }

  @Test("or never answers is given up: the request is tried again, and a shutdown returns")
  func neverReturns() async throws {
    let asked = Locked(0)
    let transport = ScriptedTransport { _ in
      asked.withLock { $0 += 1 }
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      return .success(.status(200))
    }
    // The deadline is in real time: a second after the timeout.
    let bench = try Bench(transport) { $0.digest.start = .immediately }
    var endpoint = TrackingEndpoint(url: try #require(URL(string: "http://collector.test/events")))
    endpoint.timeout = .milliseconds(1)
    await bench.tracker.setEndpoint(endpoint)
    bench.tracker.sendLog(name: "a")
    while asked.current < 2, !Task.isCancelled {
      bench.clock.advance(by: .seconds(31))
      await Task.yield()
    }
    let ending = Task { await bench.tracker.shutdown(timeout: .seconds(1)) }
    let hasEnded = Locked(false)
    Task {
      _ = await ending.value
      hasEnded.withLock { $0 = true }
    }
    while !hasEnded.current, !Task.isCancelled {
      bench.clock.advance(by: .milliseconds(500))
      await Task.yield()
    }
    #expect(await ending.value.pending == 1)
  }

  @Test("and whose refused events are purged has nothing that rests any more")
  func purged() async throws {
    let bench = try Bench(collector(Locked(true)))
    await send(["a", "b"], bench)
    #expect(
      await bench.tracker.statistics.delivery == .paused(.everythingRejected("rejected by the collector (400)")))
    await bench.tracker.purge()
    #expect(await bench.tracker.statistics.delivery == .idle)
  }

  @Test("leaves no place among its events for the next endpoint, also not in the store")
  func otherEndpoint() async throws {
    let folder = try TemporaryFolder()
    let isBroken = Locked(true)
    let bench = try Bench(collector(isBroken), storage: .file(folder.file("db")))
    await send(["a", "b", "c"], bench)
    #expect(try await bench.tracker.note("delivery.refusedUpTo") != nil)
    isBroken.withLock { $0 = false }
    let url = try #require(URL(string: "http://other.test/"))
    await bench.tracker.setEndpoint(TrackingEndpoint(url: url))
    await bench.tracker.flush()
    #expect(try await bench.tracker.note("delivery.refusedUpTo") == nil)
    await bench.tracker.shutdown()
  }
}
