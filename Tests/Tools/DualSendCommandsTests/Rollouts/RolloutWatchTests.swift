import DualSendCore
import DualSendRollout
import DualSendTesting
import Foundation
import Testing

@testable import DualSendCommands

@Suite("Watching a rollout", .timeLimit(.minutes(5)))
struct RolloutWatchTests {
  private let clock = ManualClock()
  private let attempts = Locked<[RolloutWatch.Attempt]>([])

  private static func document(_ revision: Int) -> ScriptedTransport.Answer {
    let text = #"{"formatVersion": 1, "revision": \#(revision), "salt": "test"}"#
    return .success(HTTPTransportResponse(status: 200, body: Array(text.utf8)))
  }

  /// Watches every 10 seconds while the body runs.
  private func watching(_ answers: [ScriptedTransport.Answer], _ body: () async throws -> Void) async throws {
    let url = try #require(URL(string: "https://example.org/rollout.json"))
    let fetcher = RemoteConfigFetcher(
      RemoteConfigFetcher.Options(url: url, minimumInterval: .zero), storage: .memory(),
      transport: ScriptedTransport(answers))
    let watch = RolloutWatch(fetcher: fetcher, time: clock.timeSource)
    let run = Task { [attempts] in
      await watch.run(every: .seconds(10)) { attempt in attempts.withLock { $0.append(attempt) } }
    }
    await clock.untilWaits(1)
    try await body()
    run.cancel()
    await run.value
  }

  @Test("asks again after the interval, and follows what is served")
  func interval() async throws {
    try await watching([Self.document(1), Self.document(2), Self.document(1)]) {
      for _ in 0..<2 {
        #expect(clock.pendingWaits == [.seconds(10)])
        clock.advance(by: .seconds(10))
        await clock.untilWaits(1)
      }
      #expect(attempts.current.map(\.revision) == [1, 2, 2])
      #expect(
        attempts.current.map(\.verdict) == [.accepted, .accepted, .refused(.replayed(revision: 1, known: 2))])
    }
  }

  @Test("leaves a server alone as long as that asks")
  func retryAfter() async throws {
    let busy = HTTPTransportResponse(status: 503, headers: ["Retry-After": "90"])
    try await watching([Self.document(1), .success(busy)]) {
      for _ in 0..<2 {
        clock.advance(by: .seconds(10))
        await clock.untilWaits(1)
      }
      #expect(attempts.current.count == 3)
      #expect(attempts.current[1].verdict == .unanswered(.status(503)))
      guard case .postponed(let wait)? = attempts.current.last?.verdict else {
        Issue.record("the server was asked again")
        return
      }
      #expect(clock.pendingWaits == [wait])
      #expect(wait > .seconds(60))
    }
  }
}
