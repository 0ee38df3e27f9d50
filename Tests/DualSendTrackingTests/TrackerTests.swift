import CustomDump
import DualSendCore
import DualSendStoreTesting
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

@Suite("The tracker", .timeLimit(.minutes(5)))
struct TrackerTests {
  @Test("delivers an event in the wire form")
  func wireForm() async throws {
    let bench = try Bench()
    bench.tracker.sendLog(name: "home.view", payload: ["item_id": 42, "title": "日本"])
    let report = await bench.tracker.flush()
    expectNoDifference(report, Tracker.FlushReport(sent: 1, pending: 0, dropped: [:], deadLettered: 0, obstacle: nil))
    let event = try #require(bench.transport.events.first)
    expectNoDifference(event["eventName"], "home.view")
    expectNoDifference(event["eventTime"], 1_767_225_600_000)
    expectNoDifference(event["payload"], ["item_id": 42, "title": "日本"])
    guard case .string(let id)? = event["eventId"] else { throw TestFailure("no id") }
    #expect(id.count == 36 && id.dropFirst(14).first == "7")
  }

  @Test("keeps the order in which one thread sent")
  func order() async throws {
    let bench = try Bench(change: { $0.digest.batchEvents = 7 })
    for number in 0..<100 { bench.tracker.sendLog(name: "\(number)", payload: [:]) }
    await bench.tracker.flush()
    expectNoDifference(bench.receivedNames, (0..<100).map(String.init))
  }

  @Test("leaves a value out that JSON cannot hold, reports its path, and sends the rest")
  func unsupportedValue() async throws {
    final class Opaque {}
    let bench = try Bench()
    let outcomes = bench.tracker.outcomes()
    let payload: [String: Any] = ["good": 1, "nan": Double.nan, "nested": ["list": [1, Opaque()] as [Any]]]
    bench.tracker.sendLog(name: "a", payload: payload)
    await bench.tracker.flush()
    expectNoDifference(bench.transport.events.first?["payload"], ["good": 1, "nested": ["list": [1]]])
    var paths: Set<String> = []
    for await case .valueLeftOut("a", let issue) in outcomes {
      paths.insert(issue.path.description)
      if paths.count == 2 { break }
    }
    expectNoDifference(paths, ["nan", "nested.list[1]"])
  }

  @Test("drops the newest event, and counts it, when the inbox is full")
  func fullInbox() async throws {
    let bench = try Bench(change: { $0.intake.capacity = 0 })
    bench.tracker.sendLog(name: "a", payload: [:])
    bench.tracker.sendLog(name: "b", payload: [:])
    await bench.tracker.flush()
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 2, dropped: [.inboxFull: 2]))
  }

  @Test("drops an event that is larger than the limit, with its reason")
  func oversized() async throws {
    let bench = try Bench(change: { $0.intake.maximumEventBytes = 200 })
    bench.tracker.sendLog(name: "big", payload: ["text": String(repeating: "x", count: 200)])
    bench.tracker.sendLog(name: "small", payload: [:])
    let report = await bench.tracker.flush()
    expectNoDifference(report.dropped, [.tooLarge: 1])
    expectNoDifference(bench.receivedNames, ["small"])
  }

  @Test("mutates before it stores, and counts what a mutation drops")
  func mutations() async throws {
    let bench = try Bench(change: {
      $0.mutations = [
        Mutation("redaction") { event in
          if event.name == "secret" { event.drop() }
          event.parameters["mail"] = "…"
        }
      ]
    })
    bench.tracker.sendLog(name: "secret", payload: [:])
    bench.tracker.sendLog(name: "open", payload: ["mail": "a@b.c"])
    let report = await bench.tracker.flush()
    expectNoDifference(report.dropped, [.redacted: 1])
    expectNoDifference(bench.transport.events.map { $0["payload"] }, [["mail": "…"]])
  }

  @Test("turns events away after the shutdown, and counts them")
  func afterShutdown() async throws {
    let bench = try Bench()
    bench.tracker.sendLog(name: "before", payload: [:])
    await bench.tracker.shutdown()
    bench.tracker.sendLog(name: "after", payload: [:])
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 2, delivered: 1, dropped: [.shutDown: 1]))
    #expect(ledger.isBalanced)
  }

  @Test("holds events without consent, sends them once it is granted")
  func consent() async throws {
    let bench = try Bench(change: { $0.consent = .pending })
    bench.tracker.sendLog(name: "a", payload: [:])
    let held = await bench.tracker.flush()
    expectNoDifference(held.obstacle, .consent)
    expectNoDifference(held.pending, 1)
    await bench.tracker.setConsent(.granted)
    await bench.tracker.flush()
    expectNoDifference(bench.receivedNames, ["a"])
  }

  @Test("deletes what waits when consent is denied, and drops what follows")
  func consentDenied() async throws {
    let bench = try Bench(change: { $0.consent = .pending })
    bench.tracker.sendLog(name: "a", payload: [:])
    await bench.tracker.setConsent(.denied)
    bench.tracker.sendLog(name: "b", payload: [:])
    await bench.tracker.flush()
    #expect(bench.transport.requests.isEmpty)
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 2, dropped: [.consentDenied: 2]))
  }

  @Test("delivers and closes when the task that runs it is cancelled")
  func run() async throws {
    let bench = try Bench()
    let service = Task { await bench.tracker.run() }
    bench.tracker.sendLog(name: "a", payload: [:])
    service.cancel()
    await service.value
    bench.tracker.sendLog(name: "b", payload: [:])
    let ledger = await bench.tracker.statistics.ledger
    #expect(ledger == TrackingLedger(accepted: 2, delivered: 1, dropped: [.shutDown: 1]))
  }

  @Test("tries again at once when the network returns")
  func connectivity() async throws {
    let bench = try Bench(ScriptedTransport([.failure(.connectionFailed("offline"))]))
    let outcomes = bench.tracker.outcomes()
    bench.tracker.sendLogs(name: "a", payloads: Array(repeating: [:] as [String: EventValue], count: 50))
    _ = await outcomes.first { if case .retry = $0 { true } else { nil } }
    await bench.tracker.connectivityReturned()
    let delivered = await outcomes.first { if case .delivered(let events) = $0 { events.count } else { nil } }
    #expect(delivered == 50)
  }

  @Test("a network that flaps makes at most one attempt in ten seconds")
  func flappingNetwork() async throws {
    let bench = try Bench(ScriptedTransport { _ in .success(HTTPTransportResponse(status: 503)) })
    let outcomes = bench.tracker.outcomes()
    bench.tracker.sendLogs(name: "a", payloads: Array(repeating: [:] as [String: EventValue], count: 50))
    _ = await outcomes.first { if case .retry = $0 { true } else { nil } }
    for _ in 0..<50 { await bench.tracker.connectivityReturned() }
    while bench.transport.requests.count < 2 { await Task.yield() }
    for _ in 0..<50 { await bench.tracker.connectivityReturned() }
    await bench.tracker.persist()
    #expect(bench.transport.requests.count == 2)
  }

  @Test("deletes what waits on a purge, and counts it")
  func purge() async throws {
    let bench = try Bench()
    await bench.tracker.pause()
    bench.tracker.sendLog(name: "a", payload: [:])
    await bench.tracker.purge()
    await bench.tracker.resume()
    await bench.tracker.flush()
    #expect(bench.transport.requests.isEmpty)
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 1, dropped: [.purged: 1]))
  }

  @Test("keeps every event, in order, through a store that fails for a while")
  func failingStore() async throws {
    let store = FailingStore()
    let bench = try Bench(storage: .custom { store })
    store.failUntilToldOtherwise(TrackingStoreError(kind: .full, message: "disk"))
    bench.tracker.sendLog(name: "a", payload: [:])
    #expect(await bench.tracker.persist() == 1)
    store.failUntilToldOtherwise(TrackingStoreError(kind: .busy, message: "lock"))
    bench.tracker.sendLog(name: "b", payload: [:])
    #expect(await bench.tracker.persist() == 2)
    #expect(await bench.tracker.statistics.ledger.isBalanced)
    store.failUntilToldOtherwise(nil)
    await bench.clock.untilWaits(1)
    bench.clock.advance(by: .seconds(60))
    await bench.tracker.flush()
    expectNoDifference(bench.receivedNames, ["a", "b"])
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 2, delivered: 2))
  }

  @Test("delivers once what the store failed to delete")
  func failingResolve() async throws {
    let store = FailingStore()
    let bench = try Bench(storage: .custom { store })
    await bench.tracker.pause()
    bench.tracker.sendLog(name: "a", payload: [:])
    await bench.tracker.persist()
    store.failNext(TrackingStoreError(kind: .full, message: "disk"))
    await bench.tracker.resume()
    await bench.tracker.flush()
    await bench.clock.untilWaits(1)
    bench.clock.advance(by: .seconds(60))
    await bench.tracker.flush()
    expectNoDifference(bench.receivedNames, ["a"])
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 1, delivered: 1))
  }
}

struct TestFailure: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}
