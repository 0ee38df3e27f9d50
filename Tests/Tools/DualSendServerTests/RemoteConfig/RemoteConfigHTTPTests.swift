import DualSendCollector
import DualSendCore
import DualSendRollout
import DualSendTesting
import Foundation
import Testing

@Suite("A remote config fetcher and a server that misbehaves", .timeLimit(.minutes(5)))
struct RemoteConfigHTTPTests {
  /// Fetches while revision 1 is in force and expects that nothing but the status changes.
  private func failure(
    _ bench: RemoteBench, _ change: (inout RemoteConfigFetcher.Options) -> Void = { _ in }
  ) async throws -> RemoteConfigFetcher.Failure? {
    let fetcher = bench.fetcher(change)
    try await fetcher.adopt(rolloutText(revision: 1, new: 5))
    let result = await fetcher.fetch()
    #expect(fetcher.snapshot.revision == 1)
    #expect(await fetcher.activate() == false)
    guard case .failed(let failure) = result else {
      Issue.record("expected a failure, got \(result)")
      return nil
    }
    #expect(fetcher.status.state == .failed(failure))
    #expect(bench.problems.current == [.failed(failure)])
    return failure
  }

  private func isConnectionFailure(_ failure: RemoteConfigFetcher.Failure?) -> Bool {
    if case .noAnswer(.connectionFailed) = failure { true } else { false }
  }

  private func isInvalid(_ failure: RemoteConfigFetcher.Failure?) -> Bool {
    if case .invalid = failure { true } else { false }
  }

  @Test(
    "keeps the last good document when a 200 brings a broken one",
    arguments: ["", "{", "[]", "<html>", #"{"formatVersion": 1}"#])
  func brokenBody(text: String) async throws {
    try await RemoteBench.with { bench in
      await bench.publish(text)
      let reason = try await failure(bench)
      #expect(isInvalid(reason))
    }
  }

  @Test("keeps the last good document when the connection breaks in half a body")
  func halfABody() async throws {
    try await RemoteBench.with { bench in
      await bench.publish(rolloutText(revision: 2, new: 10))
      await bench.misbehave(CollectorFault(.cut))
      let reason = try await failure(bench)
      #expect(isConnectionFailure(reason))
    }
  }

  @Test("keeps the last good document when less comes than the length says")
  func tooShort() async throws {
    try await RemoteBench.with { bench in
      await bench.publish(rolloutText(revision: 2, new: 10), headers: ["Content-Length": "5000"])
      await bench.misbehave(CollectorFault(.cut))
      let reason = try await failure(bench)
      #expect(isConnectionFailure(reason))
    }
  }

  @Test("keeps the last good document when more comes than the length says")
  func tooLong() async throws {
    try await RemoteBench.with { bench in
      await bench.publish(rolloutText(revision: 2, new: 10), headers: ["Content-Length": "40"])
      let reason = try await failure(bench)
      #expect(isInvalid(reason))
    }
  }

  @Test("gives up on a redirect that leads back to itself")
  func redirectLoop() async throws {
    try await RemoteBench.with { bench in
      await bench.misbehave(CollectorFault(.status(302), headers: ["Location": bench.url.absoluteString]))
      let reason = try await failure(bench)
      let place = String(bench.url.absoluteString.dropLast(RemoteBench.path.count))
      let redirect = HTTPTransportError.RefusedRedirect(.endless, status: 302, target: place)
      #expect(reason == .noAnswer(.redirectRefused(redirect)))
      #expect(await bench.requests.total <= 22)
    }
  }

  @Test("ends a slow drip when the time is up, however steadily it drips")
  func slowDrip() async throws {
    try await RemoteBench.with { bench in
      await bench.publish(rolloutText(revision: 2, new: 10))
      await bench.misbehave(CollectorFault(.drip(.seconds(1))))
      let fetcher = bench.fetcher()
      async let result = fetcher.fetch()
      await bench.clock.untilWaits(1)
      bench.clock.advance(by: RemoteBench.timeout)
      #expect(await result == .failed(.noAnswer(.timedOut)))
    }
  }

  @Test("keeps the last good document when the server refuses", arguments: [401, 403, 404, 408, 429, 500, 503])
  func status(status: Int) async throws {
    try await RemoteBench.with { bench in
      await bench.publish(rolloutText(revision: 2, new: 10))
      await bench.misbehave(CollectorFault(.status(status)))
      let reason = try await failure(bench)
      #expect(reason == .status(status))
    }
  }

  @Test("takes no 304 for an answer where it asked for no revision in particular")
  func unasked304() async throws {
    try await RemoteBench.with { bench in
      await bench.misbehave(CollectorFault(.status(304)))
      let reason = try await failure(bench)
      #expect(reason == .status(304))
    }
  }

  @Test("keeps the last good document when nobody listens")
  func connectionRefused() async throws {
    try await RemoteBench.with { bench in
      // A port of the system's own: one that a server has left may be another test's by now.
      let nowhere = try #require(URL(string: "http://127.0.0.1:1/rollout.json"))
      let reason = try await failure(bench) { $0.url = nowhere }
      #expect(isConnectionFailure(reason))
    }
  }

  @Test("takes no more than the limit")
  func tooLarge() async throws {
    try await RemoteBench.with { bench in
      await bench.publish(rolloutText(revision: 2, new: 10) + String(repeating: " ", count: 1000))
      let reason = try await failure(bench) { $0.maximumBytes = 1000 }
      #expect(reason == .noAnswer(.responseTooLarge(limit: 1000)))
    }
  }

  @Test("takes no more than the limit from a small body that unpacks to more")
  func gzipBomb() async throws {
    try await RemoteBench.with { bench in
      let bomb = try #require(Zlib.compress([UInt8](repeating: 32, count: 32 << 20), as: .gzip, level: 9))
      #expect(bomb.count < 100_000)
      await bench.server.setDocument(bomb, headers: ["Content-Encoding": "gzip"], at: RemoteBench.path)
      let reason = try await failure(bench)
      #expect(reason == .noAnswer(.responseTooLarge(limit: 1 << 20)))
    }
  }

  @Test("reads a document that was compressed on its way")
  func compressed() async throws {
    try await RemoteBench.with { bench in
      let body = try #require(Zlib.compress(Array(rolloutText(revision: 2, new: 10).utf8), as: .gzip))
      await bench.server.setDocument(body, headers: ["Content-Encoding": "gzip"], at: RemoteBench.path)
      let fetcher = bench.fetcher()
      #expect(await fetcher.fetch() == .fresh(isInForce: false))
    }
  }
}
