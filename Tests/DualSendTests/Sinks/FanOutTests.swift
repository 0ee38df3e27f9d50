import CustomDump
import DualSend
import DualSendCore
import DualSendStoreTesting
import DualSendTesting
import DualSendTracking
import Foundation
import Testing

@testable import DualSendTracking

@Suite("An event on its way to several sinks", .timeLimit(.minutes(5)))
struct FanOutTests {
  @Test("is safe with every sink that has a store before the old logger is called")
  func oldLoggerNeverReturns() async throws {
    let adapter = Locked<DualSendTracker?>(nil)
    let acceptedAtCall = Locked<[Sink.ID: Int]>([:])
    let bench = try SinkBench(
      oldLogger: RecordingOldLogger { _ in
        let done = DispatchSemaphore(value: 0)
        Task {
          let statistics = await adapter.current?.sinkStatistics ?? [:]
          acceptedAtCall.withLock { $0 = statistics.mapValues(\.ledger.accepted) }
          done.signal()
        }
        done.wait()
      })
    adapter.withLock { $0 = bench.dualSend }
    // A thread of its own: it is blocked, and those that all tasks share may be two.
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        bench.dualSend.log("a")
        continuation.resume()
      }
    }
    expectNoDifference(acceptedAtCall.current, [.newTracker: 1, "amplitude": 1, "archive": 1, "closure": 0])
  }

  @Test("keeps its scope and its delivery where a tracker is the only sink")
  func trackerAlone() async throws {
    let bench = try Bench(old: 100, new: 100)
    let outcomes = bench.dualSend.tracker.outcomes()
    bench.dualSend.logEvent(LegacyEvent(name: "old alone", unitID: "u"), to: .only([.oldLogger]))
    bench.dualSend.logEvent(LegacyEvent(name: "new alone", unitID: "u"), to: .except([.oldLogger]))
    bench.dualSend.logEvent(LegacyEvent(name: "now", unitID: "u"), delivery: .immediately)
    expectNoDifference(bench.oldLogger.entries.map(\.name), ["old alone", "now"])
    for await case .delivered(let events) in outcomes where events.last?.name == "now" { break }
    expectNoDifference(bench.transport.events.map { $0["eventName"] }, ["new alone", "now"])
  }

  @Test("is no pair where the call keeps it from the old logger")
  func scopedOut() async throws {
    let pairs = Locked(0)
    let bench = try SinkBench(sampling: ParitySampling(share: .all) { _ in pairs.withLock { $0 += 1 } })
    bench.dualSend.log("home.tap", to: .except([.oldLogger]))
    await bench.dualSend.flush()
    #expect(pairs.current == 0)
  }

  @Test("dropped on the caller's thread counts for the sinks that were to have it alone")
  func dropped() async throws {
    let bench = try SinkBench(old: 100, new: 0, mutations: [Mutation("drop", on: .caller) { $0.drop() }])
    bench.dualSend.log("a")
    await bench.dualSend.persist()
    let statistics = await bench.dualSend.sinkStatistics
    #expect(statistics[.newTracker]?.ledger.accepted == 0)
    #expect(statistics["archive"]?.ledger == TrackingLedger(accepted: 1, dropped: [.redacted: 1]))
    #expect(bench.oldLogger.entries.isEmpty)
  }

  @Test("is shown as a pair once, without what mutations add")
  func observed() async throws {
    let pairs = Locked<[ParitySampling.Pair]>([])
    let bench = try SinkBench(
      mutations: [.parameters(["added": 1])],
      sampling: ParitySampling(share: .all) { pair in pairs.withLock { $0.append(pair) } })
    bench.dualSend.log("home.tap", parameters: ["item_id": 1])
    await bench.dualSend.flush()
    expectNoDifference(pairs.current.map(\.old.payload), [["item_id": 1]])
    expectNoDifference(pairs.current.map(\.new.payload), [["new_item_id": 1]])
    expectNoDifference(bench.tracker.payloads, [["added": 1, "new_item_id": 1]])
  }
}

@Suite("All sinks at once", .timeLimit(.minutes(5)))
struct AllSinksTests {
  @Test("are found by their ids, but for the old logger")
  func ids() async throws {
    let dualSend = try SinkBench().dualSend
    for id in [.newTracker, "amplitude", "archive", "closure", "console"] as [Sink.ID] {
      #expect(dualSend.sink(id)?.id == id)
    }
    #expect(dualSend.sink(.oldLogger) == nil)
    #expect(dualSend.sink("Amplitude") == nil)
    let statistics = await dualSend.sinkStatistics
    expectNoDifference(statistics.keys.sorted(), ["amplitude", "archive", "closure", .newTracker])
  }

  @Test("deliver and close where there is a store")
  func shutdown() async throws {
    let bench = try SinkBench()
    bench.dualSend.log("a")
    let reports = await bench.dualSend.shutdown()
    expectNoDifference(reports.mapValues(\.sent), [.newTracker: 1, "amplitude": 1, "archive": 1])
    #expect(await bench.dualSend.flush().count == 3)
  }

  @Test("count together what is still only in memory")
  func persist() async throws {
    let sinks = ["one", "two", "three"].map { id in
      let store = FailingStore()
      store.failUntilToldOtherwise(TrackingStoreError(kind: .full, message: "no space left"))
      return Sink.buffered(Sink.ID(rawValue: id), to: ReceivedEvents(), start: .onDemand) {
        $0.storage = .custom { store }
      }
    }
    let dualSend = DualSendTracker(
      oldLogger: RecordingOldLogger(), tracker: try #require(sinks[0].tracker),
      rollout: try Bench.rollout(old: 100, new: 100), unitID: { "u" }
    ) {
      $0.oldSinks = [sinks[1]]
      $0.newSinks = [sinks[2]]
    }
    dualSend.log("a")
    dualSend.log("b", to: .except([.newTracker]))
    #expect(await dualSend.persist() == 5)
  }

  @Test("have ids that are told apart by their bytes, in files that are, too")
  func bytes() {
    let ids = ["a", "A", "a/b", "a-b", "a%2fb", "a.b", "..", "", "\u{E9}", "e\u{301}", "\n"]
      .map { Sink.ID(rawValue: $0) }
    #expect(Set(ids).count == ids.count)
    #expect(ids.map { id in ids.count { $0 == id } } == Array(repeating: 1, count: ids.count))
    let names = ids.map(\.fileName)
    #expect(Set(names.map { ExactText($0) }).count == ids.count)
    #expect(!names.contains { $0.contains("/") || $0.contains(".") })
  }
}
