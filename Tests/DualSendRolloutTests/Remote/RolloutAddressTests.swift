import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendRollout

@Suite("A stored rollout belongs to its address", .timeLimit(.minutes(5)))
struct RolloutAddressTests {
  private let storage = ByteStorage.memory()
  private let clock = ManualClock()

  private func text(_ revision: Int, old: Int = 100) -> String {
    #"{"formatVersion": 1, "revision": \#(revision), "salt": "s", "shouldSendLogToOldLogger": \#(old), "shouldSendLogToNewTracker": 100}"#
  }

  private func fetcher(
    _ host: String, _ response: HTTPTransportResponse, keys: [RolloutPublicKey] = []
  ) throws -> RemoteConfigFetcher {
    RemoteConfigFetcher(
      RemoteConfigFetcher.Options(
        url: URL(string: "https://\(host)/rollout.json"), publicKeys: keys, verifier: nil),
      storage: storage, transport: ScriptedTransport(then: .success(response)), time: clock.timeSource)
  }

  private func document(_ revision: Int, old: Int = 100, tag: String = "t") -> HTTPTransportResponse {
    HTTPTransportResponse(status: 200, headers: ["ETag": tag], body: Array(text(revision, old: old).utf8))
  }

  @Test("and binds no document of another one, a kill included")
  func otherAddress() async throws {
    _ = try await fetcher("a.test", document(120)).fetch()
    let other = try fetcher("b.test", document(12))
    #expect(other.snapshot.revision == 120)
    #expect(await other.fetch() == .fresh(isInForce: false))
    // From now on it is bound by its own.
    clock.advance(by: .seconds(60))
    #expect(try await fetcher("b.test", document(11)).fetch() == .failed(.replayed(revision: 11, known: 12)))
    let kill = HTTPTransportResponse(
      status: 200,
      body: Array(
        #"{"formatVersion": 1, "revision": 3, "salt": "s", "shouldSendLogToNewTracker": 0}"#.utf8))
    let third = try fetcher("c.test", kill)
    #expect(third.snapshot.decision(for: "e", context: DecisionContext(unitID: "u")).shouldSendLogToNewTracker)
    #expect(await third.fetch() == .fresh(isInForce: true))
    #expect(!third.snapshot.decision(for: "e", context: DecisionContext(unitID: "u")).shouldSendLogToNewTracker)
  }

  @Test("until the first good fetch, also over several launches that fetch nothing")
  func failedFetches() async throws {
    _ = try await fetcher("a.test", document(120)).fetch()
    for _ in 0..<3 {
      let other = try fetcher("b.test", .init(status: 503, headers: ["Retry-After": "5"]))
      #expect(other.snapshot.revision == 120)
      _ = await other.fetch()
      clock.advance(by: .seconds(5))
    }
    #expect(try await fetcher("b.test", document(12)).fetch() == .fresh(isInForce: false))
  }

  @Test("with a server's wish to wait")
  func retryAfter() async throws {
    _ = try await fetcher("a.test", .init(status: 503, headers: ["Retry-After": "3000"])).fetch()
    guard case .throttled = try await fetcher("a.test", document(1)).fetch() else {
      Issue.record("the same server must be obeyed")
      return
    }
    #expect(try await fetcher("b.test", document(1)).fetch() == .fresh(isInForce: false))
  }

  @Test("and to its public keys")
  func keys() async throws {
    _ = try await fetcher("a.test", document(120)).fetch()
    let key = try #require(RolloutPublicKey(bytes: Array(repeating: 7, count: 32)))
    // An unsigned document of before does not serve where a signature is required.
    #expect(try fetcher("a.test", document(12), keys: [key]).snapshot.revision != 120)
  }

  @Test("and is bound again by the same bytes from the new address")
  func sameBytes() async throws {
    _ = try await fetcher("a.test", document(120)).fetch()
    #expect(try await fetcher("b.test", document(120)).fetch() == .unchanged)
    clock.advance(by: .seconds(60))
    #expect(try await fetcher("b.test", document(12)).fetch() == .failed(.replayed(revision: 12, known: 120)))
  }
}
