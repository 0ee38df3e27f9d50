import DualSend
import DualSendCore
import DualSendRollout
import DualSendTesting
import DualSendTracking
import Foundation
import Testing

@Suite("What the adapter may not change of the old side", .timeLimit(.minutes(5)))
struct OldLoggerLimitTests {
  /// An old logger that is a facade: it gives each event to the adapter again.
  private final class Facade: OldLogger {
    let adapter = Locked<DualSendTracker?>(nil)
    let calls = Locked(0)

    func logEvents(name: String, parameters: [[String: Any]]) {
      calls.withLock { $0 += 1 }
      adapter.current?.logEvents(name: name, parameters: parameters)
    }
  }

  private func logger(
    _ oldLogger: some OldLogger, _ transport: ScriptedTransport = ScriptedTransport(), unit: String = "unit",
    share: Int = 100, configure: (inout DualSendTracker.Options) -> Void = { _ in }
  ) throws -> DualSendTracker {
    let url = try #require(URL(string: "http://collector.test/events"))
    let configuration = TrackerConfiguration(
      endpoint: TrackingEndpoint(url: url), storage: .memory, transport: transport)
    return DualSendTracker(
      oldLogger: oldLogger, tracker: Tracker(configuration: configuration),
      rollout: try Bench.rollout(old: 100, new: share), unitID: { unit }, configure: configure)
  }

  @Test("an event that fills the old logger's parameters gets no id, and is counted", arguments: [22, 23, 24, 25])
  func limit(count: Int) async throws {
    let old = RecordingOldLogger()
    let logger = try logger(old) {
      $0.oldLoggerEventIDKey = "event_id"
      $0.oldParameterLimit = DualSendTracker.Options.firebaseParameterLimit
    }
    let own = Dictionary(uniqueKeysWithValues: (0..<count).map { ("p\($0)", $0) })
    logger.logEvents(name: "a", parameters: [own])
    let fits = count + 2 <= 25
    #expect(old.entries.first?.parameters.count == (fits ? count + 2 : count))
    #expect(logger.oldEventsWithoutID == (fits ? 0 : 1))
    await logger.shutdown()
  }

  @Test("a parameter of the app with the key's name keeps its value", arguments: ["event_id", "dual_send"])
  func ownParameter(name: String) async throws {
    let old = RecordingOldLogger()
    let logger = try logger(old) { $0.oldLoggerEventIDKey = "event_id" }
    logger.logEvents(name: "a", parameters: [[name: "mine"]])
    #expect(old.entries.first?.parameters == [name: .string("mine")])
    #expect(logger.oldEventsWithoutID == 1)
    await logger.shutdown()
  }

  @Test("an empty key is none")
  func emptyKey() async throws {
    let old = RecordingOldLogger()
    let logger = try logger(old) { $0.oldLoggerEventIDKey = "" }
    logger.logEvents(name: "a", parameters: [["n": 1]])
    #expect(old.entries.first?.parameters == ["n": .int(1)])
    await logger.shutdown()
  }

  @Test("an old logger that reaches the adapter again is called once, and the event sent once", arguments: [0, 1, 2])
  func facade(count: Int) async throws {
    let (facade, transport) = (Facade(), ScriptedTransport())
    let logger = try logger(facade, transport)
    facade.adapter.withLock { $0 = logger }
    logger.logEvents(name: "a", parameters: Array(repeating: ["n": 1], count: count))
    logger.logEvents(name: "b", parameters: [["n": 1]])
    await logger.flush()
    #expect(facade.calls.current == 2)
    #expect(transport.events.count == count + 1)
    facade.adapter.withLock { $0 = nil }
    await logger.shutdown()
  }

  @Test("and an event that a task of the old logger gives it later is one of its own")
  func laterEvent() async throws {
    /// Begins its work with the first event, and logs the same event in it.
    final class Lazy: OldLogger {
      let adapter = Locked<DualSendTracker?>(nil)
      let work = Locked<Task<Void, Never>?>(nil)

      func logEvents(name: String, parameters: [[String: Any]]) {
        guard work.current == nil, let logger = adapter.current else { return }
        work.withLock { $0 = Task { logger.logEvents(name: "a", parameters: [["n": 2]]) } }
      }
    }
    let (lazy, transport) = (Lazy(), ScriptedTransport())
    let logger = try logger(lazy, transport)
    lazy.adapter.withLock { $0 = logger }
    logger.logEvents(name: "a", parameters: [["n": 1]])
    await lazy.work.current?.value
    await logger.flush()
    #expect(transport.events.count == 2)
    lazy.adapter.withLock { $0 = nil }
    await logger.shutdown()
  }

  @Test("an empty unit is no unit")
  func emptyUnit() async throws {
    let logger = try logger(RecordingOldLogger(), unit: "", share: 50)
    #expect(logger.decision(for: "a").newTrackerReason == .missingUnit)
    await logger.shutdown()
  }
}
