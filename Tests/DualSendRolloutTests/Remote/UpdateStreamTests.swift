import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendRollout

/// Streams of updates and documents from a script.
private struct StreamingTransport: HTTPTransport {
  let documents: ScriptedTransport
  let status: Int
  let opened = Locked<[HTTPTransportRequest]>([])
  let parts: @Sendable () -> AsyncThrowingStream<[UInt8], any Error>

  init(
    documents: ScriptedTransport, status: Int = 200,
    parts: @escaping @Sendable () -> AsyncThrowingStream<[UInt8], any Error>
  ) {
    (self.documents, self.status, self.parts) = (documents, status, parts)
  }

  func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
    try await documents.send(request)
  }

  func stream(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream {
    opened.withLock { $0.append(request) }
    return HTTPTransportStream(status: status, headers: ["Content-Type": "text/event-stream"], body: parts())
  }
}

@Suite("A stream of updates", .timeLimit(.minutes(5)))
struct UpdateStreamTests {
  private let clock = ManualClock()
  private let url = URL(string: "https://a.test/rollout.json")

  private func fetcher(_ transport: StreamingTransport) -> RemoteConfigFetcher {
    RemoteConfigFetcher(
      RemoteConfigFetcher.Options(url: url, streamURL: url), storage: .memory(), transport: transport,
      time: clock.timeSource, fraction: { 0 })
  }

  private static func document(_ revision: Int) -> ScriptedTransport.Answer {
    let text =
      #"{"formatVersion": 1, "revision": \#(revision), "salt": "s", "shouldSendLogToNewTracker": \#(revision)}"#
    return .success(HTTPTransportResponse(status: 200, body: Array(text.utf8)))
  }

  /// Documents of revision 1, 2, …; one of the requests waits for the continuation.
  private static func documents(waitingAt waiting: Int) -> (ScriptedTransport, AsyncStream<Void>.Continuation) {
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let requests = Locked(0)
    let documents = ScriptedTransport { _ in
      let number = requests.withLock { requests in
        requests += 1
        return requests
      }
      if number == waiting { for await _ in gate { break } }
      return document(number)
    }
    return (documents, opener)
  }

  @Test("cannot ask for a wait of more than five minutes")
  func retry() async throws {
    let transport = StreamingTransport(documents: ScriptedTransport(then: Self.document(1))) {
      AsyncThrowingStream { continuation in
        continuation.yield(Array("retry: 999999999\n\n".utf8))
        continuation.finish()
      }
    }
    let fetcher = fetcher(transport)
    await fetcher.start(every: .seconds(100_000))
    while !clock.pendingWaits.contains(.seconds(300)), !Task.isCancelled { await Task.yield() }
    #expect(clock.pendingWaits.allSatisfy { $0 <= .seconds(100_000) })
    await fetcher.stop()
  }

  @Test("that announces an update during a request has it fetched after that")
  func duringRequest() async throws {
    let (parts, updates) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    let (documents, opener) = Self.documents(waitingAt: 1)
    let fetcher = fetcher(StreamingTransport(documents: documents) { parts })
    await fetcher.start(every: .seconds(100_000))
    while documents.requests.isEmpty || !fetcher.status.isStreaming, !Task.isCancelled { await Task.yield() }
    updates.yield(Array("data: 2\n\n".utf8))
    // Until the hint is taken: it waits for the request.
    for _ in 0..<1000 { await Task.yield() }
    opener.yield()
    while fetcher.snapshot.revision != 2, !Task.isCancelled {
      if let wait = clock.pendingWaits.first, wait <= .seconds(1) { clock.advance(by: wait) }
      await Task.yield()
    }
    #expect(fetcher.snapshot.revision == 2)
    await fetcher.stop()
  }

  @Test("has one more request for an update that is announced during the request for another, and none for a known one")
  func duringHintedRequest() async throws {
    let (parts, updates) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    let (documents, opener) = Self.documents(waitingAt: 3)
    let fetcher = fetcher(StreamingTransport(documents: documents) { parts })
    await fetcher.start(every: .seconds(100_000))
    // The poll, and what may have been published before the stream opened.
    while fetcher.snapshot.revision != 2, !Task.isCancelled { await turn() }
    updates.yield(Array("data: 2\n\n".utf8))
    updates.yield(Array("data: 3\n\n".utf8))
    while documents.requests.count < 3, !Task.isCancelled { await turn() }
    #expect(fetcher.snapshot.revision == 2)
    updates.yield(Array("data: 4\n\n".utf8))
    for _ in 0..<1000 { await Task.yield() }
    opener.yield()
    while fetcher.snapshot.revision != 4, !Task.isCancelled { await turn() }
    #expect(fetcher.snapshot.revision == 4)
    updates.yield(Array("data: 4\n\n".utf8))
    for _ in 0..<1000 { await turn() }
    #expect(documents.requests.count == 4)
    await fetcher.stop()
  }

  /// Lets the second pass that a hint must wait.
  private func turn() async {
    if let wait = clock.pendingWaits.min(), wait <= .seconds(1) { clock.advance(by: wait) }
    await Task.yield()
  }

  @Test("is not opened again after status 204")
  func noContent() async throws {
    let transport = StreamingTransport(documents: ScriptedTransport(then: Self.document(1)), status: 204) {
      AsyncThrowingStream { $0.finish() }
    }
    let updates = UpdateStream(
      url: try #require(url), options: RemoteConfigFetcher.Options(url: url), transport: transport,
      time: clock.timeSource, fraction: { 0 })
    await updates.follow { event in Issue.record("\(event)") }
    #expect(transport.opened.current.count == 1)
  }

  @Test("asks for what came after the last event, and ends when nothing comes for ninety seconds")
  func resumed() async throws {
    let transport = StreamingTransport(documents: ScriptedTransport(then: Self.document(1))) {
      // Never ends by itself.
      let (parts, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
      continuation.yield(Array("id: seven\ndata: 1\n\n".utf8))
      return parts
    }
    let fetcher = fetcher(transport)
    await fetcher.start(every: .seconds(100_000))
    while transport.opened.current.count < 2, !Task.isCancelled {
      // The watch over the stream sleeps for 90 s; then the stream is opened again after its back-off.
      if let wait = clock.pendingWaits.min(), wait <= .seconds(90) { clock.advance(by: wait) }
      await Task.yield()
    }
    #expect(transport.opened.current.map { $0.headers["Last-Event-ID"] } == [nil, "seven"])
    await fetcher.stop()
  }
}
