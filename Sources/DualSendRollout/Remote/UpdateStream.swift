import DualSendCore

import struct Foundation.URL

/// Keeps a stream of server-sent events open and forwards its events.
///
/// Does not retain the fetcher.
final class UpdateStream: Sendable {
  /// An event of the stream's life cycle.
  enum Event: Sendable, Equatable {
    /// The stream is open. `mayHaveMissed` if updates before it are not sent again.
    case opened(mayHaveMissed: Bool)
    case message(EventStreamParser.Message)
    /// The stream ended for this reason. It is opened again.
    case interrupted(String)
  }

  /// The longest time without data, including keep-alive comments, before the stream is closed.
  static let longestSilence = Duration.seconds(90)
  /// The limit of the server's `retry` time.
  private static let longestRetry = Duration.seconds(300)

  let url: URL
  let options: RemoteConfigFetcher.Options
  let transport: any HTTPTransport
  let time: TimeSource
  let fraction: @Sendable () -> Double

  init(
    url: URL, options: RemoteConfigFetcher.Options, transport: any HTTPTransport, time: TimeSource,
    fraction: @escaping @Sendable () -> Double
  ) {
    self.url = url
    self.options = options
    self.transport = transport
    self.time = time
    self.fraction = fraction
  }

  /// Reopens the stream until the task is cancelled or the server responds with status 204.
  func follow(_ tell: @Sendable (Event) async -> Void) async {
    var lastEventID: String?
    var failures = 0
    while !Task.isCancelled {
      var parser = EventStreamParser(lastEventID: lastEventID)
      let opened = time.uptime()
      let reason = await read(&parser, mayHaveMissed: lastEventID == nil, tell)
      guard let reason, !Task.isCancelled else { return }
      await tell(.interrupted(reason))
      // A stream that was open for a while resets the back-off.
      failures = time.uptime() - opened > Self.longestSilence ? 1 : failures + 1
      let delay = options.backoff.delay(afterFailures: failures, fraction: fraction) ?? options.backoff.cap
      do { try await time.sleep(max(delay, min(parser.retry ?? .zero, Self.longestRetry))) } catch { return }
      lastEventID = parser.lastEventID
    }
  }

  /// Reads one stream to its end.
  ///
  /// - Returns: the reason for the end; `nil` for status 204.
  private func read(
    _ parser: inout EventStreamParser, mayHaveMissed: Bool, _ tell: @Sendable (Event) async -> Void
  ) async -> String? {
    do {
      let stream = try await transport.stream(request(after: parser.lastEventID))
      if stream.status == 204 { return nil }
      if let problem = Self.problem(of: stream) { return problem }
      await tell(.opened(mayHaveMissed: mayHaveMissed))
      for try await part in endingInSilence(stream.body) {
        for message in try parser.read(part) { await tell(.message(message)) }
      }
      return "the stream ended"
    } catch {
      return Self.description(of: error)
    }
  }

  /// Why a response cannot be read as a stream; `nil` if it can.
  private static func problem(of stream: HTTPTransportStream) -> String? {
    guard stream.status == 200 else { return "the server answered with status \(stream.status)" }
    let type = stream.header("Content-Type")?.lowercased() ?? ""
    return type.hasPrefix("text/event-stream") ? nil : "the answer is not a stream of events"
  }

  private static func description(of error: any Error) -> String {
    switch error {
    case let error as EventStreamParser.TooLong: "the stream has a line of more than \(error.limit) bytes"
    case let error as Silence: error.description
    case let error as HTTPTransportError: error.description
    default: String(describing: error)
    }
  }

  private func request(after lastEventID: String?) -> HTTPTransportRequest {
    var headers = options.headers
    headers["Accept"] = "text/event-stream"
    headers["Cache-Control"] = "no-cache"
    if let lastEventID, !lastEventID.isEmpty { headers["Last-Event-ID"] = lastEventID }
    return HTTPTransportRequest(method: "GET", url: url, headers: headers, timeout: options.timeout)
  }

  private struct Silence: Error, CustomStringConvertible {
    let description = "the stream fell silent"
  }

  /// The parts of a body. Throws ``Silence`` if no part arrives for ``longestSilence``.
  private func endingInSilence(
    _ body: AsyncThrowingStream<[UInt8], any Error>
  ) -> AsyncThrowingStream<[UInt8], any Error> {
    let (parts, continuation) = AsyncThrowingStream.makeStream(
      of: [UInt8].self, bufferingPolicy: .bufferingOldest(HTTPTransportStream.maximumWaitingParts))
    let lastPart = Locked(time.uptime())
    let reader = Task { [time] in
      do {
        for try await part in body {
          lastPart.withLock { $0 = time.uptime() }
          if case .dropped = continuation.yield(part) {
            throw HTTPTransportError.connectionFailed("the server sends faster than the response is read")
          }
        }
        continuation.finish()
      } catch { continuation.finish(throwing: error) }
    }
    let watchdog = Task { [time] in
      while case let left = Self.longestSilence - (time.uptime() - lastPart.current), left > .zero {
        try await time.sleep(left)
      }
      continuation.finish(throwing: Silence())
    }
    continuation.onTermination = { _ in
      reader.cancel()
      watchdog.cancel()
    }
    return parts
  }
}
