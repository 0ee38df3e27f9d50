import CustomDump
import DualSend
import DualSendCore
import DualSendRemapping
import DualSendRollout
import DualSendTesting
import DualSendTracking
import Foundation
import Testing

/// An adapter over a recording old logger and a scripted network.
struct Bench {
  let oldLogger: RecordingOldLogger
  let transport = ScriptedTransport()
  let clock = ManualClock()
  let rollout: MutableRollout
  let dualSend: DualSendTracker

  static let table = #"""
    {"formatVersion": 1, "events": {
      "*": {"parameters": {"uid": "user_id"}},
      "home.tap": {"name": "home.like", "parameters": {"item_id": "new_item_id", "debug": null}}
    }}
    """#

  init(
    old: Int, new: Int, unitID: String? = "unit-1", oldLoggerEventIDKey: String? = nil,
    oldLogger: RecordingOldLogger = RecordingOldLogger(), sampling: ParitySampling? = nil
  ) throws {
    self.oldLogger = oldLogger
    let url = try #require(URL(string: "http://collector.test/events"))
    let tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: url), storage: .memory, transport: transport, time: clock.timeSource
      ) {
        $0.intake.commitDelay = .zero
      })
    rollout = MutableRollout(try Self.rollout(old: old, new: new))
    dualSend = DualSendTracker(
      oldLogger: oldLogger, tracker: tracker, remapping: try RemappingTable(reading: Self.table.utf8), rollout: rollout,
      unitID: { unitID }
    ) { [clock] in
      $0.sampling = sampling
      $0.oldLoggerEventIDKey = oldLoggerEventIDKey
      $0.time = clock.timeSource
    }
  }

  static func rollout(old: Int, new: Int, revision: Int = 1, rules: String = "[]") throws -> RolloutSnapshot {
    let text = """
      {"formatVersion": 1, "revision": \(revision), "salt": "test", "shouldSendLogToOldLogger": \(old),
       "shouldSendLogToNewTracker": \(new), "rules": \(rules)}
      """
    return RolloutSnapshot(try RolloutDocument(reading: text.utf8))
  }

  /// What the collector received, by name and payload.
  func received() async -> [EventValue] {
    await dualSend.tracker.flush()
    return transport.events.map { ["name": $0["eventName"] ?? nil, "payload": $0["payload"] ?? nil] }
  }
}

@Suite("The adapter", .timeLimit(.minutes(5)))
struct DualSendTrackerTests {
  private let parameters: [String: Any] = ["item_id": 42, "uid": "u", "debug": true, "other": "kept"]
  private let old = RecordingOldLogger.Entry(
    name: "home.tap", parameters: ["item_id": 42, "uid": "u", "debug": true, "other": "kept"])
  private let new: EventValue = [
    "name": "home.like", "payload": ["new_item_id": 42, "user_id": "u", "other": "kept"],
  ]

  @Test(
    "sends to the sinks that the rollout selects: the original to the old logger, the remapped to the tracker",
    arguments: [(100, 0), (100, 100), (0, 100)])
  func sinks(oldShare: Int, newShare: Int) async throws {
    let bench = try Bench(old: oldShare, new: newShare)
    bench.dualSend.logEvents(name: "home.tap", parameters: [parameters])
    expectNoDifference(bench.oldLogger.entries, oldShare > 0 ? [old] : [])
    let received = await bench.received()
    expectNoDifference(received, newShare > 0 ? [new] : [])
  }

  @Test("sends one event for each dictionary, in order, to both sinks")
  func severalEvents() async throws {
    let bench = try Bench(old: 100, new: 100)
    bench.dualSend.logEvents(name: "a", parameters: [["n": 1], ["n": 2]])
    expectNoDifference(bench.oldLogger.entries.map(\.parameters), [["n": 1], ["n": 2]])
    let received = await bench.received()
    expectNoDifference(received.map { $0["payload"] }, [["n": 1], ["n": 2]])
  }

  @Test("sendable payloads reach both sinks as the others do")
  func sendablePayload() async throws {
    let bench = try Bench(old: 100, new: 100)
    bench.dualSend.log("home.tap", parameters: ["item_id": 42, "uid": "u", "debug": true, "other": "kept"])
    expectNoDifference(bench.oldLogger.entries, [old])
    let received = await bench.received()
    expectNoDifference(received, [new])
  }

  @Test("takes the old logger's place behind its protocol")
  func dropsIn() throws {
    let bench = try Bench(old: 100, new: 0)
    let logger: any OldLogger = bench.dualSend
    logger.logEvents(name: "home.tap", parameters: parameters)
    expectNoDifference(bench.oldLogger.entries, [old])
  }

  @Test("a new event is safe in the inbox before the old logger is called")
  func oldLoggerNeverReturns() async throws {
    let accepted = Locked<DualSendTracker?>(nil)
    let waitingAtCall = Locked(-1)
    let logger = RecordingOldLogger { _ in
      let done = DispatchSemaphore(value: 0)
      Task {
        waitingAtCall.withLock { $0 = 0 }
        let count = await accepted.current?.tracker.statistics.ledger.accepted ?? -1
        waitingAtCall.withLock { $0 = count }
        done.signal()
      }
      done.wait()
    }
    let bench = try Bench(old: 100, new: 100, oldLogger: logger)
    accepted.withLock { $0 = bench.dualSend }
    await Task.detached { bench.dualSend.logEvents(name: "a", parameters: [:]) }.value
    #expect(waitingAtCall.current == 1)
  }

  @Test("what the old logger does inside the call does not change the order of new events")
  func reentrantOldLogger() async throws {
    let reference = Locked<DualSendTracker?>(nil)
    let logger = RecordingOldLogger { name in
      if name == "outer" { reference.current?.logEvents(name: "inner", parameters: [:]) }
    }
    let bench = try Bench(old: 100, new: 100, oldLogger: logger)
    reference.withLock { $0 = bench.dualSend }
    bench.dualSend.logEvents(name: "outer", parameters: [:])
    let received = await bench.received().map { $0["name"] }
    expectNoDifference(received, ["outer", "inner"])
  }

  @Test("a value that JSON cannot hold reaches the old logger and is missing for the new tracker")
  func unsupportedValue() async throws {
    final class Opaque {}
    let seen = Locked(0)
    struct Counting: OldLogger {
      let seen: Locked<Int>
      func logEvents(name: String, parameters: [[String: Any]]) {
        let count = parameters.first?["value"] is Opaque ? 1 : 0
        seen.withLock { $0 += count }
      }
    }
    let bench = try Bench(old: 100, new: 100)
    let dualSend = DualSendTracker(
      oldLogger: Counting(seen: seen), tracker: bench.dualSend.tracker, rollout: try Bench.rollout(old: 100, new: 100),
      unitID: { nil })
    dualSend.logEvents(name: "a", parameters: ["value": Opaque(), "good": 1])
    #expect(seen.current == 1)
    let received = await bench.received().map { $0["payload"] }
    expectNoDifference(received, [["good": 1]])
  }

  @Test("a rollout that is swapped in decides the next event")
  func swap() async throws {
    let bench = try Bench(old: 100, new: 0)
    bench.dualSend.logEvents(name: "first", parameters: [:])
    bench.rollout.set(try Bench.rollout(old: 0, new: 100))
    bench.dualSend.logEvents(name: "second", parameters: [:])
    expectNoDifference(bench.oldLogger.entries.map(\.name), ["first"])
    let received = await bench.received().map { $0["name"] }
    expectNoDifference(received, ["second"])
  }

  @Test("the context and the unit that rules ask about can change")
  func context() throws {
    let bench = try Bench(old: 100, new: 0)
    let rules = """
      [{"name": "japan", "match": {"attributes": {"country": ["JP"]}}, "shouldSendLogToNewTracker": true},
       {"name": "tester", "match": {"unitIDs": ["qa"]}, "shouldSendLogToNewTracker": true}]
      """
    bench.rollout.set(try Bench.rollout(old: 100, new: 0, rules: rules))
    #expect(!bench.dualSend.decision(for: "a").shouldSendLogToNewTracker)
    bench.dualSend.setContext(DecisionContext(attributes: ["country": "JP"]))
    #expect(bench.dualSend.decision(for: "a").newTrackerReason == .rule(0))
    bench.dualSend.setContext(DecisionContext())
    #expect(bench.dualSend.logEvent(LegacyEvent(name: "a", unitID: "qa")).newTrackerReason == .rule(1))
    #expect(!bench.dualSend.decision(for: "a").shouldSendLogToNewTracker)
  }

  @Test("both streams carry the same id when the adapter is told to add it")
  func joinKey() async throws {
    let bench = try Bench(old: 100, new: 100, oldLoggerEventIDKey: "event_id")
    bench.dualSend.logEvents(name: "a", parameters: ["n": 1])
    await bench.dualSend.tracker.flush()
    let id = try #require(bench.oldLogger.entries.first?.parameters["event_id"])
    expectNoDifference(bench.transport.events.first?["eventId"], id)
    expectNoDifference(bench.transport.events.first?["payload"], ["n": 1])
  }

  @Test("a unit that Unicode calls equal to another, but that has other bytes, has a bucket of its own")
  func unitBytes() throws {
    let bench = try Bench(old: 100, new: 50)
    // Two spellings of one letter; their buckets lie on both sides of 50 %.
    let pairs = (0..<200).map { ("\u{E9}\($0)", "e\u{301}\($0)") }
    let expected = pairs.map { [$0.0, $0.1].map { bench.rollout.snapshot.bucket(of: $0)?.index } }
    let found = pairs.map { [$0.0, $0.1].map { bench.dualSend.logEvent(LegacyEvent(name: "a", unitID: $0)).bucket } }
    #expect(found == expected)
    #expect(expected.contains { $0[0] != $0[1] })
  }

  @Test("hands sendable values to the old logger as they are: both kinds of dictionary are one type at run time")
  func erasedDictionary() throws {
    #expect(ObjectIdentifier([String: any Sendable].self) == ObjectIdentifier([String: Any].self))
    let bench = try Bench(old: 100, new: 0)
    bench.dualSend.log("home.tap", parameters: ["text": "a", "number": 1, "list": [1, 2], "value": EventValue.int(7)])
    expectNoDifference(
      bench.oldLogger.entries,
      [.init(name: "home.tap", parameters: ["text": "a", "number": 1, "list": [1, 2], "value": 7])])
  }

  @Test("counts what the remapping met")
  func statistics() async throws {
    let bench = try Bench(old: 0, new: 100)
    bench.dualSend.logEvents(name: "home.tap", parameters: ["item_id": 1, "new_item_id": 2])
    _ = await bench.received()
    #expect(bench.dualSend.remappingStatistics.events == 1)
    #expect(bench.dualSend.remappingStatistics.clashes == 1)
  }

  @Test("decisions by hand follow the same rollout")
  func byHand() throws {
    let bench = try Bench(old: 95, new: 5)
    let byHand = bench.dualSend.decision(for: "a")
    #expect(byHand.shouldSendLogToOldLogger != byHand.shouldSendLogToNewTracker)
    #expect(bench.dualSend.logEvent(LegacyEvent(name: "a", unitID: "unit-1")) == byHand)
  }

  @Test("a burst from many threads during swaps is decided whole: one sink each, none lost, none twice")
  func concurrentSwaps() async throws {
    let bench = try Bench(old: 100, new: 0)
    let (oldOnly, newOnly) = (try Bench.rollout(old: 100, new: 0), try Bench.rollout(old: 0, new: 100))
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for number in 0..<500 { bench.dualSend.logEvents(name: "\(thread)-\(number)", parameters: [:]) }
        }
      }
      group.addTask {
        for number in 0..<200 {
          bench.rollout.set(number.isMultiple(of: 2) ? newOnly : oldOnly)
          await Task.yield()
        }
      }
    }
    let received = await bench.received().compactMap { $0["name"] }
    let logged = bench.oldLogger.entries.map { EventValue.string($0.name) }
    #expect(received.count + logged.count == 2000)
    #expect(Set(received + logged).count == 2000)
  }
}

@Suite("A typed event that chains", .timeLimit(.minutes(5)))
struct OldTypedEventTests {
  private struct LikeTapped: OldTypedEvent {
    let dualSendTracker: DualSendTracker
    let oldLogger: RecordingOldLogger
    let name = "home.tap"
    var parameters: [String: Any] { ["item_id": 42] }
    func send() { oldLogger.logEvents(name: name, parameters: parameters) }
  }

  @Test("reaches the sinks that the rollout selects", arguments: [(100, 0), (100, 100), (0, 100)])
  func chain(old: Int, new: Int) async throws {
    let bench = try Bench(old: old, new: new)
    LikeTapped(dualSendTracker: bench.dualSend, oldLogger: bench.oldLogger).sendToNewTracker().send()
    #expect(bench.oldLogger.entries.count == (old > 0 ? 1 : 0))
    let received = await bench.received()
    expectNoDifference(received, new > 0 ? [["name": "home.like", "payload": ["new_item_id": 42]]] : [])
  }

  @Test("carries the same id in both streams when the adapter is told to add it")
  func joinKey() async throws {
    let bench = try Bench(old: 100, new: 100, oldLoggerEventIDKey: "event_id")
    LikeTapped(dualSendTracker: bench.dualSend, oldLogger: RecordingOldLogger()).sendToNewTracker().send()
    await bench.dualSend.tracker.flush()
    let id = try #require(bench.oldLogger.entries.first?.parameters["event_id"])
    expectNoDifference(bench.oldLogger.entries.first?.parameters["item_id"], 42)
    expectNoDifference(bench.transport.events.first?["eventId"], id)
  }

  @Test("keeps one decision for both sinks when the rollout changes in between")
  func oneDecision() async throws {
    let bench = try Bench(old: 0, new: 100)
    let pending = LikeTapped(dualSendTracker: bench.dualSend, oldLogger: bench.oldLogger).sendToNewTracker()
    bench.rollout.set(try Bench.rollout(old: 100, new: 100))
    pending.send()
    #expect(bench.oldLogger.entries.isEmpty)
    #expect(await bench.received().count == 1)
  }
}

@Suite("A legacy event's line", .timeLimit(.minutes(5)))
struct LegacyEventTests {
  @Test("is read with everything in it")
  func whole() throws {
    let line = #"{"name":"a","parameters":{"n":1},"unitID":"u","time":5,"other":true}"#
    expectNoDifference(
      try LegacyEvent(reading: line.utf8), LegacyEvent(name: "a", parameters: ["n": 1], unitID: "u", time: 5))
  }

  @Test(
    "is refused with the reason",
    arguments: [
      ("[]", "expected an object, found array"), ("{}", "`name` is missing or not a string"),
      (#"{"name":"a","parameters":[]}"#, "`parameters` is not an object"),
      (#"{"name":"a","unitID":7}"#, "`unitID` is not a string"),
      (#"{"name":"a","time":"now"}"#, "`time` is not a whole number of milliseconds"),
      (#"{"name":"a""#, "the text ends inside a value"),
    ])
  func malformed(line: String, reason: String) {
    #expect { try LegacyEvent(reading: line.utf8) } throws: { ($0 as? LegacyEvent.Malformed)?.description == reason }
  }
}

@Suite("The context of an adapter", .timeLimit(.minutes(5)))
struct ContextTests {
  private static let rollout = """
    {"formatVersion": 1, "revision": 1, "salt": "s",
    "rules": [{"name": "JP", "match": {"attributes": {"country": ["JP"]}}, "shouldSendLogToNewTracker": true}]}
    """
  private static let japan = DecisionContext(attributes: ["country": "JP"])

  private func logger(unitID: @escaping @Sendable () -> String?) throws -> DualSendTracker {
    DualSendTracker(
      oldLogger: RecordingOldLogger(), tracker: try Bench(old: 100, new: 100).dualSend.tracker,
      rollout: RolloutSnapshot(try RolloutDocument(reading: Array(Self.rollout.utf8))), unitID: unitID)
  }

  @Test("that changes while an event is decided holds from the next event on")
  func duringDecision() async throws {
    let change = Locked<(@Sendable () -> Void)?>(nil)
    let logger = try logger {
      change.withLock { change in
        defer { change = nil }
        return change
      }?()
      return "unit \(change.current == nil)"
    }
    change.withLock { change in
      change = { [weak logger] in logger?.setContext(Self.japan) }
    }
    _ = logger.decision(for: "a")
    for _ in 0..<3 { #expect(logger.decision(for: "a").shouldSendLogToNewTracker) }
  }

  @Test("that changes on another thread holds from then on, for a unit that was just met too")
  func onAnotherThread() async throws {
    let unit = Locked(0)
    let logger = try logger { "unit \(unit.current)" }
    var stale = 0
    for round in 1...5000 {
      let context = round.isMultiple(of: 2) ? Self.japan : DecisionContext()
      unit.withLock { $0 = round }
      async let decision = logger.decision(for: "a")
      async let change: Void = logger.setContext(context)
      _ = await (decision, change)
      if logger.decision(for: "a").shouldSendLogToNewTracker != round.isMultiple(of: 2) { stale += 1 }
    }
    #expect(stale == 0)
  }
}
