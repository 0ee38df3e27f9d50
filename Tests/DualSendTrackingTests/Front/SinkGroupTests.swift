import CustomDump
import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

private struct Like: TypedEvent {
  let name = "like"
  let parameters: [String: any Sendable] = ["item": 1]
}

private struct View: TypedEvent {
  let name = "view"
  let parameters: [String: any Sendable] = ["tab": "all", "bad": Double.nan]
}

/// A tracker whose events go to a closure, and what came there.
private struct Stored {
  let sink: Sink
  let received = Locked<[TrackingData]>([])

  init(_ id: Sink.ID, mutations: [Mutation] = []) {
    sink = .buffered(id, start: .onDemand) { configuration in
      configuration.storage = .memory
      configuration.mutations = mutations
    } receive: { [received] events in
      received.withLock { $0 += events }
    }
  }

  var names: [String] { received.current.map(\.name) }
  var payloads: [EventValue?] {
    received.current.map { event in
      guard case .object(let members)? = try? JSONReader().value(event.body) else { return nil }
      return members["payload"]
    }
  }
}

@Suite("Several sinks without a migration", .timeLimit(.minutes(5)))
struct SinkGroupTests {
  @Test("get each event in every form of log, by one id")
  func forms() async throws {
    let (first, second) = (Stored("first"), Stored("second"))
    let direct = Locked<[TrackingEvent]>([])
    let group = SinkGroup([
      first.sink, second.sink, .closure("direct") { event in direct.withLock { $0.append(event) } },
    ])
    group.log(Like())
    group.log(View())
    group.log("plain", parameters: ["a": 1])
    group.log("coded", encoding: ["b": 2])
    await group.flush()
    let names = ["like", "view", "plain", "coded"]
    let payloads: [EventValue?] = [["item": 1], ["tab": "all"], ["a": 1], ["b": 2]]
    for stored in [first, second] {
      expectNoDifference(stored.names, names)
      expectNoDifference(stored.payloads, payloads)
    }
    expectNoDifference(direct.current.map(\.name), names)
    expectNoDifference(direct.current.map(\.id), first.received.current.map(\.id))
    expectNoDifference(second.received.current.map(\.body), first.received.current.map(\.body))
  }

  @Test("get what the call lets them have, called like a logger too")
  func scopes() async throws {
    let stored = Stored("stored")
    let plain = Locked<[String]>([])
    let group = SinkGroup([stored.sink, .plain("plain") { name, _ in plain.withLock { $0.append(name) } }])
    group.log("both")
    group.log("one", to: .only(["plain"]))
    group.log("other", to: .except(["plain"]))
    await group.flush()
    expectNoDifference(stored.names, ["both", "other"])
    expectNoDifference(plain.current, ["both", "one"])
    #expect(group.sink("plain")?.id == "plain")
    let statistics = await group.sinkStatistics
    expectNoDifference(Array(statistics.keys), ["stored"])
  }

  @Test("before a migration give the old logger each event in its original form")
  func beforeMigration() {
    let seen = Locked<[String]>([])
    let group = SinkGroup(
      bindings: [
        SinkBinding(
          .plain(.oldLogger) { name, parameters in seen.withLock { $0.append("\(name) \(parameters)") } },
          form: .original)
      ], mutations: [], time: .system)
    group.log(Like())
    expectNoDifference(seen.current, [#"like ["item": 1]"#])
  }
}

@Suite("Mutations of a front", .timeLimit(.minutes(5)))
struct FrontMutationTests {
  private let drop = Mutation("drop", for: .except(["keeps"])) { event in
    if event.name == "secret" { event.drop() }
  }

  @Test("rename and drop events, which each sink counts for itself")
  func renameAndDrop() async throws {
    let (drops, keeps) = (Stored("drops"), Stored("keeps"))
    let direct = Locked<[String]>([])
    let group = SinkGroup(
      [drops.sink, keeps.sink, .closure("direct") { event in direct.withLock { $0.append(event.name) } }],
      mutations: [drop, Mutation("rename") { $0.name += "!" }])
    group.log("secret")
    group.log("open")
    await group.flush()
    expectNoDifference(drops.names, ["open!"])
    expectNoDifference(keeps.names, ["secret!", "open!"])
    expectNoDifference(direct.current, ["open!"])
    let statistics = await group.sinkStatistics
    let ledger = TrackingLedger(accepted: 2, delivered: 1, dropped: [.redacted: 1])
    #expect(statistics["drops"]?.ledger == ledger)
    #expect(statistics["direct"]?.ledger == ledger)
    #expect(statistics["keeps"]?.ledger == TrackingLedger(accepted: 2, delivered: 2))
  }

  @Test("on the caller's thread drop an event for every sink, and each counts it")
  func callerDrops() async throws {
    let stored = Stored("stored")
    let group = SinkGroup(
      [stored.sink, .closure("direct") { _ in }],
      mutations: [Mutation("caller", on: .caller) { event in event.drop() }])
    group.log("a")
    await group.persist()
    let dropped = TrackingLedger(accepted: 1, dropped: [.redacted: 1])
    let statistics = await group.sinkStatistics
    #expect(statistics["stored"]?.ledger == dropped)
    #expect(statistics["direct"]?.ledger == dropped)
  }

  @Test("that throw after they dropped or renamed undo both")
  func undone() async throws {
    struct Refusal: Error {}
    let stored = Stored("stored")
    let group = SinkGroup(
      [stored.sink],
      mutations: [
        Mutation("fails") { event in
          event.name = "other"
          event.drop()
          throw Refusal()
        }
      ])
    group.log("a")
    await group.flush()
    expectNoDifference(stored.names, ["a"])
    expectNoDifference(group.mutationFailures, ["fails": 1])
  }

  @Test("change for the events that are logged afterwards, not for those that wait")
  func changed() async throws {
    let stored = Stored("stored")
    let group = SinkGroup([stored.sink], mutations: [.parameters(["one": 1])])
    group.log("before")
    group.changeMutations { $0 = [.parameters(["two": 2])] }
    group.log("between")
    group.changeMutations { $0.removeAll() }
    group.log("after")
    await group.flush()
    expectNoDifference(stored.payloads, [["one": 1], ["two": 2], [:]])
    #expect(group.mutations.isEmpty)
  }

  @Test("may be read, and events logged, while they change", .timeLimit(.minutes(5)))
  func reentrance() async throws {
    let stored = Stored("stored")
    let group = SinkGroup([stored.sink], mutations: [.parameters(["a": 1])])
    group.changeMutations { mutations in
      group.log("inside")
      mutations = group.mutations + [.parameters(["b": 2])]
    }
    await group.flush()
    expectNoDifference(stored.payloads, [["a": 1]])
    #expect(group.mutations.count == 2)
  }

  @Test("may be changed by several threads at once without losing one", .timeLimit(.minutes(5)))
  func concurrentChanges() async {
    let group = SinkGroup([.closure("direct") { _ in }])
    await withTaskGroup(of: Void.self) { tasks in
      for number in 0..<50 {
        tasks.addTask { group.changeMutations { $0.append(.parameters(["\(number)": 1])) } }
        tasks.addTask { group.log("a") }
      }
    }
    #expect(group.mutations.count == 50)
  }
}

@Suite("A tracker as a front", .timeLimit(.minutes(5)))
struct TrackerFrontTests {
  @Test("takes typed events, and leaves what is meant for other sinks")
  func typed() async throws {
    let bench = try Bench()
    bench.tracker.log(Like())
    bench.tracker.log("a", parameters: ["b": 1], to: .only([.newTracker]))
    bench.tracker.log("not here", to: .only(["amplitude"]))
    bench.tracker.log("nor this", to: .except([.newTracker]))
    await bench.tracker.flush()
    expectNoDifference(bench.receivedNames, ["like", "a"])
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 4, delivered: 2, dropped: [.outOfScope: 2]))
  }

  @Test("has mutations of its own, which see the typed event and change for later events")
  func ownMutations() async throws {
    let bench = try Bench(change: { configuration in
      configuration.mutations = [
        Mutation("typed") { event in event.parameters["typed"] = .bool(event.original is Like) },
        .parameters(["own": 1], for: .only(["amplitude"])),
      ]
    })
    bench.tracker.log(Like())
    bench.tracker.sendLog(name: "plain")
    bench.tracker.changeMutations { $0 = [.parameters(["late": 1])] }
    bench.tracker.sendLog(name: "late")
    await bench.tracker.flush()
    expectNoDifference(
      bench.transport.events.map { $0["payload"] },
      [["item": 1, "own": 1, "typed": true], ["own": 1, "typed": false], ["late": 1]])
  }

  @Test("runs its mutations after those of its group, under the sink's id")
  func order() async throws {
    let stored = Stored(
      "amplitude",
      mutations: [Mutation("own", for: .only(["amplitude"])) { $0.name += "\($0.sink?.rawValue ?? "none")" }])
    let group = SinkGroup([stored.sink], mutations: [Mutation("group") { $0.name += " group " }])
    group.log("a")
    await group.flush()
    expectNoDifference(stored.names, ["a group amplitude"])
  }

  @Test("refuses a second sink with the id of another one")
  func repeatedID() async {
    let (first, second, other) = (Stored("amplitude"), Stored("amplitude"), Stored("archive"))
    let group = SinkGroup([first.sink, second.sink, other.sink])
    expectNoDifference(group.sinks.map(\.id), ["amplitude", "archive"])
    group.log("a")
    await group.flush()
    expectNoDifference([first.names, second.names, other.names], [["a"], [], ["a"]])
  }
}

@Suite("A logger of the app's own that logs on another thread", .timeLimit(.minutes(5)))
struct HoppingLoggerTests {
  private struct Hopping: EventLogging {
    let inner: any EventLogging
    let tasks = Locked<[Task<Void, Never>]>([])

    func log(_ call: EventCall) {
      let captured = call.captured
      tasks.withLock { $0.append(Task { inner.log(EventCall(captured)) }) }
    }
  }

  @Test("hands on the event with its options, and with the time of the call")
  func captured() async {
    let recorder = RecordingEventLogger()
    let logger = Hopping(inner: recorder)
    logger.log(Like(), to: .only(["a"]), delivery: .immediately)
    for task in logger.tasks.current { await task.value }
    expectNoDifference(
      recorder.entries, [.init(name: "like", parameters: ["item": 1], scope: .only(["a"]), delivery: .immediately)])
    #expect(recorder.events.first is Like)

    let before = TimeSource.system.wallMilliseconds()
    let call = EventCall(EventCall(name: "old", original: ["a": 1, "not": Double.nan]).captured)
    #expect((before...TimeSource.system.wallMilliseconds()).contains(call.time ?? 0))
    expectNoDifference(call.parameters, ["a": 1])
  }
}

@Suite("A recording logger", .timeLimit(.minutes(5)))
struct RecordingEventLoggerTests {
  @Test("keeps every form of log as the call site has it")
  func entries() {
    let logger = RecordingEventLogger()
    let front: any EventLogging = logger
    front.log(Like(), to: .only(["a"]), delivery: .immediately)
    front.log("plain", parameters: ["x": Double.nan, "y": 1])
    expectNoDifference(
      logger.entries,
      [
        .init(name: "like", parameters: ["item": 1], scope: .only(["a"]), delivery: .immediately),
        .init(name: "plain", parameters: ["y": 1]),
      ])
    #expect(logger.events.count == 1 && logger.events.first is Like)
  }
}
