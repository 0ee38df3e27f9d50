/// Publishes the changes of one document to its streams (`text/event-stream`).
///
/// An event's id counts the changes; its data is the revision, if any. A client that reconnects sends the last id it
/// has seen, and gets an event at once if there is a newer one.
struct UpdatePublisher {
  private var change = 0
  private var data = ""
  private var streams: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
  private var nextStream = 0

  /// The number of open streams.
  var count: Int { streams.count }

  /// Publishes a change.
  mutating func publish(revision: Int64?) {
    change += 1
    data = revision.map(String.init) ?? "changed"
    for stream in streams.values { stream.yield(event) }
  }

  /// Sends arbitrary bytes, for tests.
  func send(_ bytes: [UInt8]) {
    for stream in streams.values { stream.yield(bytes) }
  }

  /// Ends all streams, like a restart of the server.
  mutating func cut() {
    for stream in streams.values { stream.finish() }
    streams = [:]
  }

  mutating func open(
    after lastEventID: String?, ended: @escaping @Sendable (Int) -> Void
  ) -> AsyncStream<[UInt8]> {
    let (parts, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    nextStream += 1
    let number = nextStream
    streams[number] = continuation
    continuation.onTermination = { _ in ended(number) }
    // The first bytes flush the response's head.
    continuation.yield(Array(": open\n\n".utf8))
    if let lastEventID, lastEventID != String(change) { continuation.yield(event) }
    return parts
  }

  mutating func close(_ number: Int) {
    streams[number] = nil
  }

  private var event: [UInt8] {
    Array("id: \(change)\ndata: \(data)\n\n".utf8)
  }
}
