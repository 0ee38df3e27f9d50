/// Tells the streams of one document when it changes (`text/event-stream`).
///
/// An event's id counts the changes and its data is the revision, where the document has one: a client that was cut off
/// names the last id it has seen, and is told at once if that is no longer the newest.
struct UpdatePublisher {
  private var change = 0
  private var data = ""
  private var streams: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
  private var nextStream = 0

  /// How many streams are open.
  var count: Int { streams.count }

  /// The document has changed.
  mutating func publish(revision: Int64?) {
    change += 1
    data = revision.map(String.init) ?? "changed"
    for stream in streams.values { stream.yield(event) }
  }

  /// Whatever bytes a test wants its clients to see.
  func send(_ bytes: [UInt8]) {
    for stream in streams.values { stream.yield(bytes) }
  }

  /// Ends every stream, as a server does that is restarted.
  mutating func cut() {
    for stream in streams.values { stream.finish() }
    streams = [:]
  }

  /// Opens a stream.
  mutating func open(
    after lastEventID: String?, ended: @escaping @Sendable (Int) -> Void
  ) -> AsyncStream<[UInt8]> {
    let (parts, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    nextStream += 1
    let number = nextStream
    streams[number] = continuation
    continuation.onTermination = { _ in ended(number) }
    // The first bytes make the head of the answer leave.
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
