import CustomDump
import DualSend
import DualSendCore
import DualSendStoreTesting
import DualSendTesting
import DualSendTracking
import Foundation
import Logging
import Testing

@Suite("Several sinks", .timeLimit(.minutes(5)))
struct SinkTests {
  @Test("get what their side gets: original names and keys, or new ones")
  func sides() async throws {
    let bench = try SinkBench()
    bench.dualSend.log("home.tap", parameters: ["item_id": 42])
    await bench.dualSend.flush()
    expectNoDifference(bench.oldLogger.entries, [.init(name: "home.tap", parameters: ["item_id": 42])])
    expectNoDifference(bench.logger.entries, bench.oldLogger.entries)
    expectNoDifference(bench.archive.names, ["home.tap"])
    expectNoDifference(bench.archive.payloads, [["item_id": 42]])
    for sink in [bench.tracker, bench.amplitude] {
      expectNoDifference(sink.names, ["home.like"])
      expectNoDifference(sink.payloads, [["new_item_id": 42]])
    }
    expectNoDifference(bench.closure.current.map(\.name), ["home.like"])
    expectNoDifference(bench.closure.current.map(\.payload), [["new_item_id": 42]])
  }

  @Test("know an event by one id, which the old logger gets too where it is asked for")
  func ids() async throws {
    let bench = try SinkBench(oldLoggerEventIDKey: "event_id")
    bench.dualSend.logEvents(name: "home.tap", parameters: ["item_id": 1])
    await bench.dualSend.flush()
    let id = try #require(bench.tracker.events.first?.id)
    expectNoDifference(bench.amplitude.events.map(\.id), [id])
    expectNoDifference(bench.archive.events.map(\.id), [id])
    expectNoDifference(bench.closure.current.map(\.id), [id])
    expectNoDifference(bench.oldLogger.entries.map { $0.parameters["event_id"] }, [.string(id.description)])
  }

  @Test("follow their side's flag", arguments: [(100, 0), (0, 100)])
  func flags(old: Int, new: Int) async throws {
    let bench = try SinkBench(old: old, new: new)
    bench.dualSend.log("home.tap")
    await bench.dualSend.flush()
    let (oldCount, newCount) = (old / 100, new / 100)
    #expect(bench.oldLogger.entries.count == oldCount)
    #expect(bench.logger.entries.count == oldCount)
    #expect(bench.archive.events.count == oldCount)
    #expect(bench.tracker.events.count == newCount)
    #expect(bench.amplitude.events.count == newCount)
    #expect(bench.closure.current.count == newCount)
  }

  @Test("of one side store the same bytes, but for one with a redaction of its own")
  func shared() async throws {
    let received = (0..<4).map { _ in ReceivedEvents() }
    let sinks = try received.enumerated().map { index, receiver in
      let sink = Sink.buffered(Sink.ID(rawValue: "sink\(index)"), to: receiver, start: .onDemand) { configuration in
        configuration.storage = .memory
        guard index == 3 else { return }
        configuration.mutations = [
          Mutation("redaction") { event in
            event.name = "redacted"
            event.parameters = [:]
          }
        ]
      }
      return (sink, try #require(sink.tracker))
    }
    let dualSend = DualSendTracker(
      oldLogger: RecordingOldLogger(), tracker: sinks[0].1, remapping: try RemappingTable(reading: Bench.table.utf8),
      rollout: try Bench.rollout(old: 100, new: 100), unitID: { "u" }
    ) {
      $0.oldSinks = [sinks[1].0]
      $0.newSinks = [sinks[2].0, sinks[3].0]
    }
    for number in 0..<2000 { dualSend.log("home.tap", parameters: ["item_id": number, "not": Double.nan]) }
    await dualSend.flush()
    for receiver in received { #expect(receiver.events.count == 2000) }
    #expect(received[2].events.map(\.body) == received[0].events.map(\.body))
    expectNoDifference(Set(received[1].names), ["home.tap"])
    expectNoDifference(received[1].payloads.last, ["item_id": 1999])
    expectNoDifference(Set(received[3].names), ["redacted"])
    #expect(dualSend.remappingStatistics.events == 6000)
  }

  @Test("that fail hold up nobody, and have everything later")
  func failing() async throws {
    let bench = try SinkBench()
    bench.amplitude.fail(.refused("down"))
    for _ in 0..<3 { bench.dualSend.log("home.tap") }
    let reports = await bench.dualSend.flush()
    #expect(bench.tracker.events.count == 3)
    #expect(bench.archive.events.count == 3)
    #expect(reports["amplitude"]?.pending == 3)
    #expect(reports["amplitude"]?.obstacle == .paused(.reported("down")))
    #expect(reports[.newTracker]?.sent == 3)

    bench.amplitude.fail(nil)
    await bench.dualSend.sink("amplitude")?.tracker?.resume()
    await bench.dualSend.flush()
    #expect(bench.amplitude.events.map(\.id) == bench.tracker.events.map(\.id))
  }

  @Test("with a store delete what waits and take no more where consent is denied, all of them")
  func deniedConsent() async throws {
    let bench = try SinkBench()
    bench.dualSend.log("home.tap")
    await bench.dualSend.setConsent(.denied)
    bench.dualSend.log("home.tap")
    await bench.dualSend.flush()
    let statistics = await bench.dualSend.sinkStatistics
    for id: Sink.ID in [.newTracker, "amplitude", "archive"] {
      #expect(statistics[id]?.ledger == TrackingLedger(accepted: 2, dropped: [.consentDenied: 2]))
    }
    #expect((bench.tracker.events + bench.amplitude.events + bench.archive.events).isEmpty)
  }

  @Test("with a store lose what waits to a purge, all of them, and go on")
  func purged() async throws {
    let bench = try SinkBench()
    bench.dualSend.log("before")
    await bench.dualSend.purge()
    bench.dualSend.log("after")
    await bench.dualSend.flush()
    for sink in [bench.tracker, bench.amplitude, bench.archive] { expectNoDifference(sink.names, ["after"]) }
  }

  @Test("with a store say in their log which one they are")
  func logMetadata() {
    _ = Sink.buffered("amplitude", to: ReceivedEvents()) { configuration in
      configuration.storage = .memory
      #expect(configuration.logger[metadataKey: "sink"] == "amplitude")
    }
  }

  @Test("whose store fails hold up nobody, and send what waited in memory when it works again")
  func failingStore() async throws {
    let store = FailingStore()
    store.failUntilToldOtherwise(TrackingStoreError(kind: .full, message: "no space left"))
    let (main, broken) = (ReceivedEvents(), ReceivedEvents())
    let sink = Sink.buffered("broken", to: broken, start: .onDemand) { $0.storage = .custom { store } }
    let dualSend = DualSendTracker(
      oldLogger: RecordingOldLogger(),
      tracker: try #require(Sink.buffered("main", to: main, start: .onDemand) { $0.storage = .memory }.tracker),
      rollout: try Bench.rollout(old: 100, new: 100), unitID: { "u" }
    ) { $0.newSinks = [sink] }
    dualSend.log("a")
    dualSend.log("b")
    #expect(await dualSend.persist() == 2)
    await dualSend.flush()
    expectNoDifference(main.names, ["a", "b"])
    expectNoDifference(broken.names, [])

    store.failUntilToldOtherwise(nil)
    await dualSend.flush()
    expectNoDifference(broken.names, ["a", "b"])
    #expect(await sink.statistics?.ledger == TrackingLedger(accepted: 2, delivered: 2))
  }

  private struct Chained: OldTypedEvent {
    let dualSendTracker: DualSendTracker
    let sent: Locked<[String]>
    let name = "home.tap"
    let parameters: [String: Any] = ["item_id": 1]

    func send() { sent.withLock { $0.append("send()") } }
    func send(parameters: [String: Any]) { sent.withLock { $0.append("\(parameters["added"] ?? "nothing added")") } }
  }

  @Test("get an event that sends itself to the old logger, which does so once and as it did")
  func chained() async throws {
    let added = Mutation("added", on: .caller) { $0.parameters["added"] = "added" }
    for (mutations, expected) in [([], "send()"), ([added], "added")] {
      let bench = try SinkBench(mutations: mutations)
      let sent = Locked<[String]>([])
      Chained(dualSendTracker: bench.dualSend, sent: sent).sendToNewTracker().send()
      await bench.dualSend.flush()
      expectNoDifference(sent.current, [expected])
      expectNoDifference(bench.oldLogger.entries, [])
      for sink in [bench.tracker, bench.amplitude, bench.archive] { #expect(sink.events.count == 1) }
    }
  }

  @Test("without a store lose what they throw at, and count it")
  func throwing() async throws {
    struct Refusal: Error {}
    let bench = try SinkBench(onClosure: { if $0.name == "bad" { throw Refusal() } })
    bench.dualSend.log("bad")
    bench.dualSend.log("good")
    let statistics = await bench.dualSend.sinkStatistics["closure"]
    #expect(statistics?.ledger == TrackingLedger(accepted: 2, delivered: 1, dropped: [.sinkFailed: 1]))
    #expect(bench.oldLogger.entries.count == 2)
  }

  @Test("are chosen by the call, within what the rollout selects")
  func scopes() async throws {
    let bench = try SinkBench(old: 0, new: 100)
    bench.dualSend.log("only", to: .only(["amplitude", .oldLogger, "archive"]))
    bench.dualSend.log("except", to: .except([.newTracker]))
    await bench.dualSend.flush()
    expectNoDifference(bench.amplitude.names, ["only", "except"])
    expectNoDifference(bench.tracker.names, [])
    expectNoDifference(bench.closure.current.map(\.name), ["except"])
    expectNoDifference(bench.oldLogger.entries.map(\.name), [])
    expectNoDifference(bench.archive.names, [])
  }

  @Test("are narrowed by the document, each within its side, and the principal ones are not")
  func narrowed() async throws {
    let bench = try SinkBench()
    let text = """
      {"formatVersion": 2, "revision": 2, "salt": "test", "shouldSendLogToNewTracker": 100,
       "sinks": {"new": {"amplitude": 0}, "old": {"archive": 0}},
       "rules": [{"match": {"events": ["wanted"]}, "sinks": {"new": {"amplitude": 100}}}]}
      """
    bench.rollout.set(RolloutSnapshot(try RolloutDocument(reading: text.utf8)))
    bench.dualSend.log("wanted")
    bench.dualSend.logEvents(name: "other")
    await bench.dualSend.flush()
    expectNoDifference(bench.tracker.names, ["wanted", "other"])
    expectNoDifference(bench.amplitude.names, ["wanted"])
    expectNoDifference(bench.archive.names, [])
    expectNoDifference(bench.oldLogger.entries.map(\.name), ["wanted", "other"])
    expectNoDifference(bench.closure.current.map(\.name), ["wanted", "other"])
  }

  @Test("with a store send at once what is logged to leave immediately")
  func immediately() async throws {
    let bench = try SinkBench()
    let outcomes = bench.dualSend.tracker.outcomes()
    bench.dualSend.log("waits")
    bench.dualSend.log("now", delivery: .immediately)
    for await case .delivered(let events) in outcomes where events.last?.name == "now" { break }
    expectNoDifference(bench.tracker.names, ["waits", "now"])
  }

  @Test("that are called on the same thread come after the old logger, those with a store before")
  func order() async throws {
    let calls = Locked<[String]>([])
    let sink = Sink.buffered("stored", to: ReceivedEvents(), start: .onDemand) { $0.storage = .memory }
    let tracker = try #require(sink.tracker)
    let dualSend = DualSendTracker(
      oldLogger: RecordingOldLogger(onLog: { _ in calls.withLock { $0.append("old logger") } }), tracker: tracker,
      rollout: try Bench.rollout(old: 100, new: 100), unitID: { "u" }
    ) {
      $0.newSinks = [.closure("closure") { _ in calls.withLock { $0.append("closure") } }]
    }
    dualSend.log("a")
    expectNoDifference(calls.current, ["old logger", "closure"])
    #expect(await dualSend.flush()[.newTracker]?.sent == 1)
  }
}
