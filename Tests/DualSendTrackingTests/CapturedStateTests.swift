import CustomDump
import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

@Suite("An event is what the call saw", .timeLimit(.minutes(5)))
struct CapturedStateTests {
  private let user = Locked<String?>("first")

  private func users(_ bench: Bench) -> [EventValue?] {
    bench.transport.events.map { event in
      if case .object(let payload)? = event["payload"] { payload["user_id"] } else { nil }
    }
  }

  private var mutation: Mutation { .userID { [user] in user.current } }

  @Test("has the user of its time, by a tracker's own mutation and by a group's", arguments: [true, false])
  func userID(isOwn: Bool) async throws {
    let bench = try Bench { configuration in
      configuration.digest.start = .onDemand
      if isOwn { configuration.mutations = [mutation] }
    }
    let logger: any EventLogging =
      isOwn ? bench.tracker : SinkGroup([.tracker("a", bench.tracker)], mutations: [mutation])
    for _ in 0..<100 { logger.log("a") }
    user.withLock { $0 = "second" }
    for _ in 0..<100 { logger.log("a") }
    user.withLock { $0 = nil }
    for _ in 0..<20 { logger.log("a") }
    user.withLock { $0 = "third" }
    await bench.tracker.flush()
    let expected: [EventValue?] = Array(repeating: "first", count: 100) + Array(repeating: "second", count: 100)
    expectNoDifference(users(bench), expected + Array(repeating: nil, count: 20))
  }

  @Test("is not asked for its state where a sink does not get it")
  func scope() async throws {
    let asked = Locked(0)
    let bench = try Bench()
    let counting = Mutation(
      "count", for: .only(["a"]),
      capturing: {
        asked.withLock { $0 += 1 }
        return [:]
      }
    ) { _, _ in }
    let group = SinkGroup([.tracker("a", bench.tracker), .closure("b") { _ in }], mutations: [counting])
    group.log("x", to: .only(["b"]))
    #expect(asked.current == 0)
    group.log("x")
    #expect(asked.current == 1)
    await bench.tracker.shutdown()
  }

  @Test("sees each state of several mutations, one of which throws")
  func several() async throws {
    struct Failure: Error {}
    let bench = try Bench { configuration in
      configuration.mutations = [
        Mutation("one", capturing: { ["n": 1] }) { event, state in event.parameters.merge(state) { $1 } },
        Mutation("none") { event in event.parameters["plain"] = true },
        Mutation("throws", capturing: { ["n": 2] }) { _, _ in throw Failure() },
        Mutation("three", capturing: { ["m": 3] }) { event, state in event.parameters.merge(state) { $1 } },
      ]
    }
    bench.tracker.log("a")
    await bench.tracker.flush()
    expectNoDifference(bench.transport.events.first?["payload"], ["n": 1, "m": 3, "plain": true])
    #expect(bench.tracker.mutationFailures == ["throws": 1])
  }

  @Test("may change the mutations inside a change: the outer one counts, and nothing waits for ever")
  func nested() async throws {
    let bench = try Bench()
    bench.tracker.changeMutations { mutations in
      bench.tracker.changeMutations { $0 = [] }
      mutations.append(mutation)
    }
    #expect(bench.tracker.mutations.map(\.name) == ["userID"])
    bench.tracker.changeMutations { $0 = [] }
    #expect(bench.tracker.mutations.isEmpty)
    await bench.tracker.shutdown()
  }
}
