import DualSend
import DualSendCore
import DualSendTesting
import Foundation
import Testing

@Suite("A call with several parameters", .timeLimit(.minutes(5)))
struct SeveralParametersTests {
  /// Keeps each call as it comes.
  private final class CallLogger: OldLogger {
    private let kept = Locked<[(name: String, parameters: [[String: String]])]>([])
    var calls: [(name: String, parameters: [[String: String]])] { kept.current }

    func logEvents(name: String, parameters: [[String: Any]]) {
      let texts = parameters.map { $0.mapValues { "\($0)" } }
      kept.withLock { $0.append((name, texts)) }
    }
  }

  private static func both() throws -> RolloutSnapshot {
    let text =
      #"{"formatVersion":1,"revision":1,"salt":"s","shouldSendLogToOldLogger":100,"shouldSendLogToNewTracker":100}"#
    return RolloutSnapshot(try RolloutDocument(reading: text.utf8))
  }

  private func logger(
    _ old: CallLogger, _ rollout: RolloutSnapshot, transport: ScriptedTransport = ScriptedTransport(),
    mutations: [Mutation] = [], key: String? = nil
  ) throws -> DualSendTracker {
    let url = try #require(URL(string: "https://collector.test"))
    var configuration = TrackerConfiguration(endpoint: TrackingEndpoint(url: url), storage: .memory)
    configuration.transport = transport
    return DualSendTracker(
      oldLogger: old, tracker: Tracker(configuration: configuration), rollout: rollout, unitID: { "u" }
    ) {
      $0.mutations = mutations
      $0.oldLoggerEventIDKey = key
    }
  }

  @Test("is one call of the old logger, and as many events of the new tracker")
  func three() async throws {
    let (old, transport) = (CallLogger(), ScriptedTransport())
    let logger = try logger(old, try Self.both(), transport: transport)
    logger.logEvents(name: "a", parameters: [["n": 1], ["n": 2], ["n": 3]])
    #expect(old.calls.map(\.name) == ["a"])
    #expect(old.calls.first?.parameters == [["n": "1"], ["n": "2"], ["n": "3"]])
    await logger.flush()
    #expect(transport.events.map { $0["payload"]?["n"] } == [1, 2, 3])
    await logger.shutdown()
  }

  @Test("is passed on if it has none, unless the rollout has left the old logger", arguments: [true, false])
  func none(toOldLogger: Bool) async throws {
    let old = CallLogger()
    let logger = try logger(old, toOldLogger ? try Self.both() : .newTrackerOnly)
    logger.logEvents(name: "a", parameters: [])
    #expect(old.calls.map(\.name) == (toOldLogger ? ["a"] : []))
    #expect(old.calls.allSatisfy { $0.parameters.isEmpty })
    #expect(await logger.flush().values.allSatisfy { $0.sent == 0 })
    await logger.shutdown()
  }

  @Test("has an id of its own for each event, if events carry ids")
  func joinKeys() async throws {
    let (old, transport) = (CallLogger(), ScriptedTransport())
    let logger = try logger(old, try Self.both(), transport: transport, key: "id")
    logger.logEvents(name: "a", parameters: [[:], [:]])
    await logger.flush()
    let ids = old.calls.flatMap(\.parameters).map { $0["id"] }
    #expect(Set(ids).count == 2)
    #expect(
      ids
        == transport.events.map { event in
          if case .string(let id)? = event["eventId"] { id } else { nil }
        })
    await logger.shutdown()
  }

  @Test("is a call for each name in a row, if a mutation renames some")
  func renamed() async throws {
    let old = CallLogger()
    let rename = Mutation("rename", on: .caller) { event in
      if event.parameters["n"] == 2 { event.name = "b" }
    }
    let logger = try logger(old, try Self.both(), mutations: [rename])
    logger.logEvents(name: "a", parameters: [["n": 1], ["n": 2], ["n": 2], ["n": 3]])
    #expect(old.calls.map(\.name) == ["a", "b", "a"])
    #expect(old.calls.map(\.parameters) == [[["n": "1"]], [["n": "2"], ["n": "2"]], [["n": "3"]]])
    await logger.shutdown()
  }
}
