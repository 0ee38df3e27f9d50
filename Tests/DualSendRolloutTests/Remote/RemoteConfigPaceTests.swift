import DualSendCore
import DualSendTesting
import Testing

@testable import DualSendRollout

@Suite("The pace of a remote config fetcher", .timeLimit(.minutes(5)))
struct RemoteConfigPaceTests {
  @Test("asks no sooner than the minimum interval after an answer")
  func minimumInterval() async throws {
    let bench = try RemoteBench()
    bench.server.publish(rolloutText(revision: 1, new: 5))
    let fetcher = bench.fetcher()
    _ = await fetcher.fetch()
    bench.clock.advance(by: .seconds(20))
    #expect(await fetcher.fetch() == .throttled(for: .seconds(40)))
    #expect(fetcher.status.state == .throttled(for: .seconds(40)))
    bench.clock.advance(by: .seconds(40))
    #expect(await fetcher.fetch() == .unchanged)
    #expect(bench.server.requests.count == 2)
  }

  @Test("asks again at the usual pace after a document that it refused")
  func refusedDocument() async throws {
    let bench = try RemoteBench()
    bench.server.publish("{")
    let fetcher = bench.fetcher()
    _ = await fetcher.fetch()
    #expect(await fetcher.fetch() == .throttled(for: .seconds(60)))
  }

  @Test("leaves a server in trouble alone for twice as long each time")
  func backoff() async throws {
    let bench = try RemoteBench()
    bench.server.misbehave(503)
    let fetcher = bench.fetcher()
    for seconds in [2, 4, 8] {
      #expect(await fetcher.fetch() == .failed(.status(503)))
      #expect(await fetcher.fetch() == .throttled(for: .seconds(seconds)))
      bench.clock.advance(by: .seconds(seconds))
    }
  }

  @Test("forgets earlier failures once an answer is good")
  func recovery() async throws {
    let bench = try RemoteBench()
    bench.server.publish(rolloutText(revision: 1, new: 5))
    bench.server.misbehave(503, times: 2)
    let fetcher = bench.fetcher { $0.minimumInterval = .zero }
    for wait in [2, 4] {
      _ = await fetcher.fetch()
      bench.clock.advance(by: .seconds(wait))
    }
    #expect(await fetcher.fetch() == .fresh(isInForce: false))
    bench.server.misbehave(503)
    _ = await fetcher.fetch()
    #expect(await fetcher.fetch() == .throttled(for: .seconds(2)))
  }

  @Test(
    "waits as long as a 429 asks for, in both forms, in the next run too",
    arguments: ["120", "Thu, 01 Jan 2026 00:02:00 GMT"])
  func retryAfter(form: String) async throws {
    let bench = try RemoteBench()
    bench.server.misbehave(429, times: 1, headers: ["Retry-After": form])
    bench.server.publish(rolloutText(revision: 1, new: 5))
    let fetcher = bench.fetcher()
    #expect(await fetcher.fetch() == .failed(.status(429)))
    bench.clock.advance(by: .seconds(20))
    #expect(await fetcher.fetch() == .throttled(for: .seconds(100)))
    let nextRun = bench.fetcher()
    #expect(await nextRun.fetch() == .throttled(for: .seconds(100)))
    bench.clock.advance(by: .seconds(100))
    #expect(await nextRun.fetch() == .fresh(isInForce: false))
  }

  @Test("waits no longer than an hour, whatever the server or the device's clock say")
  func longRetryAfter() async throws {
    let bench = try RemoteBench()
    bench.server.misbehave(503, times: 1, headers: ["Retry-After": "1000000"])
    let fetcher = bench.fetcher()
    _ = await fetcher.fetch()
    #expect(await fetcher.fetch() == .throttled(for: .seconds(3600)))
    bench.clock.jumpWall(by: .seconds(-1_000_000))
    #expect(await bench.fetcher().fetch() == .throttled(for: .seconds(3600)))
  }

  @Test("keeps no wait that is over, even if the device's clock is set back")
  func waitIsOver() async throws {
    let bench = try RemoteBench()
    bench.server.misbehave(503, times: 1, headers: ["Retry-After": "120"])
    bench.server.publish(rolloutText(revision: 1, new: 5))
    let fetcher = bench.fetcher()
    _ = await fetcher.fetch()
    bench.clock.advance(by: .seconds(120))
    #expect(await fetcher.fetch() == .fresh(isInForce: false))
    bench.clock.jumpWall(by: .seconds(-1000))
    #expect(await bench.fetcher().fetch() == .unchanged)
  }

  @Test("is not throttled after an offline start")
  func offlineStart() async throws {
    let online = ScriptedTransport(
      [.failure(.connectionFailed("offline"))],
      then: .success(HTTPTransportResponse(status: 200, body: Array(rolloutText(revision: 1, new: 5).utf8))))
    let bench = try RemoteBench()
    let fetcher = bench.fetcher(transport: online)
    #expect(await fetcher.fetch() == .failed(.noAnswer(.connectionFailed("offline"))))
    #expect(await fetcher.fetch() == .fresh(isInForce: false))
  }

  @Test("follows a document that changes between two polls")
  func polling() async throws {
    let bench = try RemoteBench()
    bench.server.publish(rolloutText(revision: 1, new: 5))
    let fetcher = bench.fetcher()
    var snapshots = fetcher.snapshots().makeAsyncIterator()
    #expect(await snapshots.next()?.revision == nil)
    await fetcher.start(every: .seconds(300))
    #expect(await snapshots.next()?.revision == 1)
    bench.server.publish(rolloutText(revision: 2, new: 25))
    await bench.clock.untilWaits(1)
    bench.clock.advance(by: .seconds(300))
    #expect(await snapshots.next()?.revision == 2)
    await fetcher.stop()
  }

  @Test("polls again as soon as the back-off allows, not only after the interval")
  func pollingAfterFailure() async throws {
    let bench = try RemoteBench()
    bench.server.publish(rolloutText(revision: 1, new: 5))
    bench.server.misbehave(500, times: 1)
    let fetcher = bench.fetcher()
    var snapshots = fetcher.snapshots().makeAsyncIterator()
    _ = await snapshots.next()
    let loop = Task { await fetcher.run(every: .seconds(300)) }
    while bench.clock.pendingWaits != [.seconds(2)], !Task.isCancelled { await Task.yield() }
    bench.clock.advance(by: .seconds(2))
    #expect(await snapshots.next()?.revision == 1)
    loop.cancel()
  }

  @Test("ends its loop when the task is cancelled")
  func cancelledLoop() async throws {
    let bench = try RemoteBench()
    bench.server.publish(rolloutText(revision: 1, new: 5))
    let fetcher = bench.fetcher()
    let loop = Task { await fetcher.run(every: .seconds(200)) }
    while bench.clock.pendingWaits != [.seconds(200)], !Task.isCancelled { await Task.yield() }
    loop.cancel()
    await loop.value
    #expect(bench.clock.pendingWaits == [])
  }

  @Test("ends its loop when nobody holds it any more")
  func releasedLoop() async throws {
    let bench = try RemoteBench()
    bench.server.publish(rolloutText(revision: 1, new: 5))
    var fetcher: RemoteConfigFetcher? = bench.fetcher()
    weak let released = fetcher
    await fetcher?.start(every: .seconds(200))
    while bench.clock.pendingWaits != [.seconds(200)], !Task.isCancelled { await Task.yield() }
    fetcher = nil
    while !bench.clock.pendingWaits.isEmpty, !Task.isCancelled { await Task.yield() }
    #expect(released == nil)
  }
}
