import DualSendCollector
import DualSendCore
import DualSendHTTPClient
import DualSendTesting
import Foundation
import Testing

@testable import DualSendRollout

/// A fetcher that follows a real stream of a real server, over both transports.
@Suite("Live updates of a remote config", .timeLimit(.minutes(10)))
struct RemoteConfigLiveUpdateTests {
  enum Transport: CaseIterable {
    case urlSession, system

    func make() -> any HTTPTransport {
      switch self {
      case .urlSession: URLSessionTransport()
      case .system: SystemTransport.make()
      }
    }
  }

  private func with(
    _ transport: Transport = .system, _ body: (RemoteBench, RemoteConfigFetcher) async throws -> Void
  ) async throws {
    try await RemoteBench.with { bench in
      await bench.publish(rolloutText(revision: 1, new: 5))
      let streamURL = try #require(await bench.server.updatesURL(ofDocumentAt: RemoteBench.path))
      let fetcher = bench.fetcher(transport: transport.make()) { options in
        options.streamURL = streamURL
        options.backoff = RetryBackoff(shape: .ladder, base: .seconds(2), cap: .seconds(300))
      }
      await fetcher.start(every: .seconds(3600))
      try await bench.until { await bench.server.updateStreams(ofDocumentAt: RemoteBench.path) == 1 }
      try await bench.until { fetcher.snapshot.revision == 1 && fetcher.status.isStreaming }
      try await body(bench, fetcher)
      await fetcher.stop()
    }
  }

  @Test("put a new revision in force without a poll", arguments: Transport.allCases)
  func push(transport: Transport) async throws {
    try await with(transport) { bench, fetcher in
      await bench.publish(rolloutText(revision: 2, new: 0))
      try await bench.untilTurning { fetcher.snapshot.revision == 2 }
      #expect(await bench.requests.total == 2)
    }
  }

  @Test("bring what was published after the first poll and before they opened")
  func publishedBeforeOpening() async throws {
    try await RemoteBench.with { bench in
      await bench.publish(rolloutText(revision: 1, new: 5))
      let fetcher = bench.fetcher { $0.streamURL = bench.url }
      await fetcher.start(every: .seconds(3600))
      try await bench.until { fetcher.snapshot.revision == 1 && fetcher.status.lastResult != nil }
      await bench.publish(rolloutText(revision: 2, new: 0))
      await fetcher.handle(.opened(mayHaveMissed: true), activating: true)
      try await bench.untilTurning { fetcher.snapshot.revision == 2 }
      await fetcher.stop()
    }
  }

  @Test("ask once more when they open, because what was published before is not told")
  func firstOpening() async throws {
    let url = try #require(URL(string: "http://updates.test/stream"))
    let clock = ManualClock()
    let stream = UpdateStream(
      url: url, options: RemoteConfigFetcher.Options(url: url), transport: SilentStream(), time: clock.timeSource,
      fraction: { 1 })
    let events = Locked<[UpdateStream.Event]>([])
    let task = Task { await stream.follow { event in events.withLock { $0.append(event) } } }
    await clock.untilWaits(1)
    #expect(events.current.first == .opened(mayHaveMissed: true))
    task.cancel()
    await task.value
  }

  /// Opens a stream that ends at once.
  private struct SilentStream: HTTPTransport {
    func send(_: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse { throw .cancelled }

    func stream(_: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream {
      let body = AsyncThrowingStream<[UInt8], any Error> { $0.finish() }
      return HTTPTransportStream(status: 200, headers: ["Content-Type": "text/event-stream"], body: body)
    }
  }

  @Test("resume after a cut connection, and bring what was published meanwhile", arguments: Transport.allCases)
  func cut(transport: Transport) async throws {
    try await with(transport) { bench, fetcher in
      await bench.publish(rolloutText(revision: 2, new: 10))
      try await bench.untilTurning { fetcher.snapshot.revision == 2 }
      await bench.server.cutUpdateStreams(ofDocumentAt: RemoteBench.path)
      try await bench.until { !fetcher.status.isStreaming }
      await bench.publish(rolloutText(revision: 3, new: 0))
      try await bench.untilTurning { fetcher.snapshot.revision == 3 && fetcher.status.isStreaming }
      #expect(bench.problems.current.contains { if case .streamInterrupted = $0 { true } else { false } })
    }
  }

  @Test("that lie put nothing in force and cause few requests")
  func lies() async throws {
    try await with { bench, fetcher in
      for number in 0..<200 {
        let lie = #"data: {"revision": \#(number), "shouldSendLogToNewTracker": 100}"# + "\n\n"
        await bench.server.sendToUpdateStreams(Array(lie.utf8), ofDocumentAt: RemoteBench.path)
      }
      try await bench.untilTurning { await bench.requests.total >= 2 }
      // All hints that came before the request are answered by it; one more may follow for those that came during it.
      #expect(await bench.requests.total <= 3)
      #expect(fetcher.snapshot.revision == 1)
    }
  }

  @Test("that name a revision which is known cause no request at all")
  func knownRevision() async throws {
    try await with { bench, fetcher in
      await bench.server.sendToUpdateStreams(Array("data: 1\n\ndata: 0\n\n".utf8), ofDocumentAt: RemoteBench.path)
      await bench.publish(rolloutText(revision: 2, new: 0))
      try await bench.untilTurning { fetcher.snapshot.revision == 2 }
      #expect(await bench.requests.total == 2)
    }
  }

  @Test("without a line end are given up, and opened again later")
  func endlessLine() async throws {
    try await with { bench, fetcher in
      let noise = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000)
      try await bench.until {
        await bench.server.sendToUpdateStreams(noise, ofDocumentAt: RemoteBench.path)
        return bench.problems.current.contains { $0.description.contains("a line of more than") }
      }
      try await bench.untilTurning { fetcher.status.isStreaming }
    }
  }

  @Test("that fall silent are given up, and opened again")
  func silence() async throws {
    try await with { bench, fetcher in
      // Turned again and again, because the wait for data may begin after the stream counts as open.
      try await bench.untilTurning(upTo: UpdateStream.longestSilence) {
        bench.problems.current.contains { $0.description.contains("fell silent") }
      }
      try await bench.untilTurning { fetcher.status.isStreaming }
    }
  }

  @Test("go on slowly, a byte at a time")
  func drip() async throws {
    try await with { bench, fetcher in
      await bench.server.setDocumentFaults([], at: RemoteBench.path)
      for byte in "data: 2\n\n".utf8 {
        await bench.server.sendToUpdateStreams([byte], ofDocumentAt: RemoteBench.path)
      }
      try await bench.untilTurning { await bench.requests.total == 2 }
      #expect(fetcher.snapshot.revision == 1)
    }
  }

  @Test("that a server does not have leave it at polling")
  func noStream() async throws {
    try await RemoteBench.with { bench in
      await bench.publish(rolloutText(revision: 1, new: 5))
      let fetcher = bench.fetcher { $0.streamURL = bench.url }
      await fetcher.start(every: .seconds(60))
      try await bench.until { bench.problems.current.contains { $0.description.contains("not a stream of events") } }
      await bench.publish(rolloutText(revision: 2, new: 5))
      try await bench.untilTurning(upTo: .seconds(60)) { fetcher.snapshot.revision == 2 }
      #expect(!fetcher.status.isStreaming)
      await fetcher.stop()
    }
  }

  @Test("do not keep a fetcher alive that nobody holds")
  func release() async throws {
    try await RemoteBench.with { bench in
      await bench.publish(rolloutText(revision: 1, new: 5))
      let streamURL = try #require(await bench.server.updatesURL(ofDocumentAt: RemoteBench.path))
      weak var released: RemoteConfigFetcher?
      do {
        let fetcher = bench.fetcher { $0.streamURL = streamURL }
        released = fetcher
        await fetcher.start(every: .seconds(3600))
        try await bench.until { fetcher.status.isStreaming && fetcher.snapshot.revision == 1 }
      }
      try await bench.until { released == nil }
      // A server learns that a client is gone when it writes to it.
      try await bench.until {
        await bench.server.sendToUpdateStreams(Array(":\n\n".utf8), ofDocumentAt: RemoteBench.path)
        return await bench.server.updateStreams(ofDocumentAt: RemoteBench.path) == 0
      }
    }
  }
}

extension RemoteBench {
  /// Returns once the condition holds, which something under way brings about.
  func until(_ condition: () async -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(100)
    while await !condition() {
      try #require(ContinuousClock.now < deadline, "the condition did not come true in time")
      await Task.yield()
    }
  }

  /// The same, with the clock turned to the end of each wait that stands in between; longer ones are left alone.
  func untilTurning(upTo longest: Duration = .seconds(60), _ condition: () async -> Bool) async throws {
    try await until {
      if await condition() { return true }
      if let next = clock.pendingWaits.first, next <= longest { clock.advance(by: next) }
      return false
    }
  }
}
