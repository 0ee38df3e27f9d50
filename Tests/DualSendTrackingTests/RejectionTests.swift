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
    expectNoDifference(bench.transport.requests.dropFirst(before).map { $0.trackingEvents.count }, [1])
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
}
