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
    _ host: String, _ response: HTTPTransportResponse, keys: [RolloutPublicKey] = [], query: String = ""
  ) throws -> RemoteConfigFetcher {
    RemoteConfigFetcher(
      RemoteConfigFetcher.Options(
        url: URL(string: "https://\(host)/rollout.json\(query)"), publicKeys: keys, verifier: nil),
      storage: storage, transport: ScriptedTransport(then: .success(response)), time: clock.timeSource)
  }

  private func document(_ revision: Int, old: Int = 100, tag: String = "t") -> HTTPTransportResponse {
    HTTPTransportResponse(status: 200, headers: ["ETag": tag], body: Array(text(revision, old: old).utf8))
  }

  @Test("and neither serves another one nor binds its documents")
  func otherAddress() async throws {
    _ = try await fetcher("a.test", document(120)).fetch()
    let other = try fetcher("b.test", document(12))
    #expect(other.snapshot.revision == nil)
    #expect(await other.fetch() == .fresh(isInForce: false))
    // From now on it is bound by its own.
    clock.advance(by: .seconds(60))
    #expect(try await fetcher("b.test", document(11)).fetch() == .failed(.replayed(revision: 11, known: 12)))
  }

  @Test("whose query does not count", arguments: ["?token=2", "?v=9#part", ""])
  func query(query: String) async throws {
    _ = try await fetcher("a.test", document(12)).fetch()
    clock.advance(by: .seconds(60))
    #expect(
      try await fetcher("a.test", document(11), query: query).fetch() == .failed(.replayed(revision: 11, known: 12)))
  }

  @Test("so that two adapters with the default setup have two storages")
  func names() {
    let identities = ["https://a.test/r?t=1", "https://A.test/r?t=2", "https://b.test/r", "https://a.test/s"].map {
      RemoteConfigFetcher.Options(url: URL(string: $0)).identity
    }
    #expect(identities[0] == identities[1])
    #expect(Set(identities).count == 3)
  }

  @Test("and its audience: a document for another app or environment is refused, fetched or stored")
  func audience() async {
    func fetcher(_ audience: String?) -> RemoteConfigFetcher {
      RemoteConfigFetcher(RemoteConfigFetcher.Options(url: nil, audience: audience), storage: storage)
    }
    func document(_ revision: Int, for audience: String) -> [UInt8] {
      Array(text(revision).replacing(#""salt""#, with: #""audience": "\#(audience)", "salt""#).utf8)
    }
    let app = fetcher("shop/production")
    #expect(
      await app.offer(document(900, for: "shop/staging"))
        == .failed(.otherAudience("shop/staging", expected: "shop/production")))
    #expect(await app.offer(Array(text(1).utf8)) == .failed(.otherAudience(nil, expected: "shop/production")))
    #expect(await app.offer(document(1, for: "shop/production")) == .fresh(isInForce: false))
    #expect(await fetcher(nil).offer(document(2, for: "shop/staging")) == .fresh(isInForce: false))
    #expect(fetcher("shop/staging").snapshot.revision == 2 && fetcher("shop/production").snapshot.revision == nil)
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
}
