import DualSendCore
import DualSendRollout
import DualSendStoreTesting
import DualSendTesting
import DualSendTracking
import Foundation
import Testing

@testable import DualSend

/// The breaker and what fails behind it: the store, and a collector that refuses.
@Suite("The breaker, when the store or the collector fails", .timeLimit(.minutes(5)))
struct BreakerStoreTests {
  @Test("opens when the store fails for long, and not when it works in between", arguments: [true, false])
  func storeFailure(worksBetween: Bool) async throws {
    let full = TrackingStoreError(kind: .full, message: "no space")
    // The tracker itself must not report that its store works.
    let bench = try BreakerBench(storage: .custom { () throws(TrackingStoreError) in throw full })
    let breaker = try #require(bench.logger.breaker)
    breaker.handle(.storeFails(full), from: bench.logger.tracker.identity)
    bench.clock.jumpWall(by: .seconds(86_400))
    breaker.handle(.storeFails(full), from: bench.logger.tracker.identity)
    #expect(bench.logger.breaker?.opening == nil)
    bench.clock.advance(by: .seconds(59))
    if worksBetween { breaker.handle(.storeWorks, from: bench.logger.tracker.identity) }
    breaker.handle(.storeFails(full), from: bench.logger.tracker.identity)
    bench.clock.advance(by: .seconds(1))
    breaker.handle(.storeFails(full), from: bench.logger.tracker.identity)
    #expect(bench.logger.breaker?.opening?.detail == (worksBetween ? nil : "the event store failed for 60 s (full)"))
    bench.logger.logEvents(name: "a", parameters: [[:]])
    #expect(bench.oldDecisions == (worksBetween ? [] : ["12:old:breaker"]))
    breaker.handle(.storeWorks, from: bench.logger.tracker.identity)
    #expect(bench.logger.breaker?.opening == nil)
    await bench.end()
  }

  @Test("gives a store all of its time again after it was closed")
  func closedByTheApp() async throws {
    let full = TrackingStoreError(kind: .full, message: "no space")
    let bench = try BreakerBench(storage: .custom { () throws(TrackingStoreError) in throw full })
    let breaker = try #require(bench.logger.breaker)
    for second in 0...60 {
      breaker.handle(.storeFails(full), from: bench.logger.tracker.identity)
      if second < 60 { bench.clock.advance(by: .seconds(1)) }
    }
    #expect(breaker.opening?.cause == .store)
    breaker.close()
    breaker.handle(.storeFails(full), from: bench.logger.tracker.identity)
    #expect(breaker.opening == nil)
    await bench.end()
  }

  @Test("hears of a store that cannot be opened from the tracker itself")
  func unopenableStore() async throws {
    let failure = TrackingStoreError(kind: .inputOutput, message: "cannot be opened")
    let bench = try BreakerBench(storage: .custom { () throws(TrackingStoreError) in throw failure }) {
      $0.storeFailure = .zero
    }
    bench.logger.logEvents(name: "a", parameters: [[:]])
    await bench.logger.flush()
    #expect(bench.logger.breaker?.opening?.cause == .store)
    await bench.end()
  }

  @Test("opens when a disk stays full; when there is space, what waited is delivered")
  func fullDisk() async throws {
    let (store, server) = (FailingStore(), ScriptedTransport())
    let bench = try BreakerBench(storage: .custom { store }, server: server)
    store.failUntilToldOtherwise(TrackingStoreError(kind: .full, message: "no space"))
    bench.logger.logEvents(name: "waits", parameters: [[:]])
    for _ in 0..<6 {
      await bench.logger.flush(timeout: .zero)
      #expect(bench.logger.breaker?.opening == nil)
      bench.clock.advance(by: .seconds(10))
    }
    await bench.logger.flush(timeout: .zero)
    #expect(bench.logger.breaker?.opening?.detail == "the event store failed for 60 s (full)")
    bench.logger.logEvents(name: "steps back", parameters: [[:]])
    #expect(bench.old.entries.map(\.name) == ["steps back"])
    await bench.isStored { $0.opening?.cause == .store }
    store.failUntilToldOtherwise(nil)
    while server.events.isEmpty { await bench.logger.flush() }
    #expect(server.events.map { $0["eventName"] } == ["waits"])
    // A store that works again closes it.
    await bench.isStored { $0.opening == nil }
    #expect(bench.logger.decision(for: "a").outcome == .newOnly)
    await bench.end()
  }

  @Test("opens when the collector refuses too many events for good, and what waits stays on disk")
  func deadLetters() async throws {
    let store = FailingStore()
    let server = ScriptedTransport { request in
      guard request.method == "POST" else { return .success(HTTPTransportResponse(status: 404)) }
      let events = ScriptedTransport.ids(of: request)
      let rejected = events.dropLast().map { #"{"eventId":"\#($0)","reason":"unknown"}"# }.joined(separator: ",")
      return .success(HTTPTransportResponse(status: 200, body: Array(#"{"rejected":[\#(rejected)]}"#.utf8)))
    }
    let bench = try BreakerBench(storage: .custom { store }, server: server) { $0.deadLetters = 2 }
    for _ in 0..<4 { bench.logger.logEvents(name: "a", parameters: [[:]]) }
    await bench.logger.tracker.flush()
    #expect(
      bench.logger.breaker?.opening?.detail == "the collector refused 3 events for good, more than 2")
    // The tracker follows a moment later.
    while await bench.logger.tracker.statistics.delivery != .paused(.breaker), !Task.isCancelled { await Task.yield() }
    bench.logger.tracker.sendLog(name: "direct")
    let report = await bench.logger.tracker.flush()
    #expect(report.obstacle == .paused(.breaker))
    #expect(report.pending == 1)
    await bench.end()
  }
}
