import CustomDump
import DualSendCore
import DualSendStoreTesting
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

@Suite("A damaged store that cannot be replaced at first", .timeLimit(.minutes(10)))
struct StoreReplacementTests {
  private let damaged = FailingStore()
  private let opened = AsyncStream.makeStream(of: Int.self)

  /// Damaged, then not there, then fresh.
  private var storage: TrackerConfiguration.StoreLocation {
    let openings = Locked(0)
    return .custom { [damaged, opened] () throws(TrackingStoreError) in
      let number = openings.withLock { openings in
        openings += 1
        return openings
      }
      opened.continuation.yield(number)
      switch number {
      case 1: return damaged
      case 2: throw TrackingStoreError(kind: .inputOutput, message: "no second file")
      default: return InMemoryTrackingDataStore()
      }
    }
  }

  private func damageOnRequest(_ answer: HTTPTransportResponse) -> ScriptedTransport {
    let answers = Locked([answer])
    return ScriptedTransport { [damaged] _ in
      guard let answer = answers.withLock({ $0.popLast() }) else { return .success(.status(200)) }
      damaged.failNext(TrackingStoreError(kind: .damaged, message: "page 7"))
      return .success(answer)
    }
  }

  @Test("takes the answers that it could not record with it: they are not about the fresh store's events")
  func answers() async throws {
    let bench = try Bench(damageOnRequest(.status(200)), storage: storage)
    for number in 1...2 { bench.tracker.sendLog(name: "\(number)", payload: [:]) }
    await bench.tracker.flush()
    for number in 3...4 { bench.tracker.sendLog(name: "\(number)", payload: [:]) }
    await bench.tracker.flush()
    expectNoDifference(bench.receivedNames, ["1", "2", "3", "4"])
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 2, delivered: 2))
  }

  @Test("is not replaced at once by a third file when the second one is damaged too")
  func damagedTwice() async throws {
    let openings = Locked(0)
    let bench = try Bench(
      storage: .custom {
        let number = openings.withLock { openings in
          openings += 1
          return openings
        }
        let store = FailingStore()
        if number < 6 { store.failUntilToldOtherwise(TrackingStoreError(kind: .damaged, message: "page 7")) }
        return store
      }
    ) { $0.digest.start = .onDemand }
    bench.tracker.sendLog(name: "a", payload: [:])
    #expect(await bench.tracker.persist() == 1)
    let first = openings.current
    #expect(first == 3)
    await bench.clock.untilWaits(1)
    // The retry may be set only after the clock was advanced once: another timer may be the one that waits.
    while openings.current == first, !Task.isCancelled {
      bench.clock.advance(by: .seconds(60))
      await Task.yield()
    }
    await bench.tracker.shutdown(timeout: .zero)
  }

  @Test("is opened again when its events are due, without a new event")
  func opensAgain() async throws {
    let bench = try Bench(damageOnRequest(.status(503)), storage: storage) { $0.digest.start = .count(1) }
    for number in 1...2 { bench.tracker.sendLog(name: "\(number)", payload: [:]) }
    await bench.tracker.flush()
    await bench.clock.untilWaits(1)
    bench.clock.advance(by: .seconds(2))
    for await number in opened.stream where number == 3 { break }
  }
}
