import DualSendCore

import struct Foundation.URL

/// Keeps one stream open that says when a newer document is there, and tells what it says.
///
/// It knows nothing of the fetcher, so that it does not keep one alive that nobody else holds.
struct UpdateStream: Sendable {
  /// What becomes of the stream, in order.
  enum Event: Sendable, Hashable {
    /// It is open. `true` if something may have been published that it will not tell.
    case opened(mayHaveMissed: Bool)
    case message(EventStreamParser.Message)
    /// It is over; why. It will be opened again.
    case interrupted(String)
  }

  /// A stream that has been silent for so long is given up: servers send a comment now and then to show that they live.
  static let longestSilence = Duration.seconds(90)
  /// No stream makes anybody wait longer than this before it is opened again.
  private static let longestRetry = Duration.seconds(300)

  let url: URL
  let options: RemoteConfigFetcher.Options
  let transport: any HTTPTransport
  let time: TimeSource
  let fraction: @Sendable () -> Double

  /// Opens the stream again and again, until the task is cancelled or the server asks not to come back (status 204).
  func follow(_ tell: @Sendable (Event) async -> Void) async {
    var lastEventID: String?
    var failures = 0
    while !Task.isCancelled {
      var parser = EventStreamParser(lastEventID: lastEventID)
      let opened = time.uptime()
      let reason = await read(&parser, mayHaveMissed: lastEventID == nil, tell)
      guard let reason, !Task.isCancelled else { return }
      await tell(.interrupted(reason))
      // A stream that held for a while was a good one: whatever ended it, the next attempt starts at the first step.
      failures = time.uptime() - opened > Self.longestSilence ? 1 : failures + 1
      let delay = options.backoff.delay(afterFailures: failures, fraction: fraction) ?? options.backoff.cap
      do { try await time.sleep(max(delay, min(parser.retry ?? .zero, Self.longestRetry))) } catch { return }
      lastEventID = parser.lastEventID
    }
  }

  /// Reads one stream to its end.
  ///
  /// - Returns: why it is over; `nil` if the server asks not to come back.
  private func read(
    _ parser: inout EventStreamParser, mayHaveMissed: Bool, _ tell: @Sendable (Event) async -> Void
  ) async -> String? {
    do {
      let stream = try await transport.stream(request(after: parser.lastEventID))
      if stream.status == 204 { return nil }
      guard stream.status == 200 else { return "the server answered with status \(stream.status)" }
      guard stream.header("Content-Type")?.lowercased().hasPrefix("text/event-stream") == true else {
        return "the answer is not a stream of events"
      }
      await tell(.opened(mayHaveMissed: mayHaveMissed))
      for try await part in endingInSilence(stream.body) {
        for message in try parser.read(part) { await tell(.message(message)) }
      }
      return "the stream ended"
    } catch let error as EventStreamParser.TooLong {
      return "the stream has a line of more than \(error.limit) bytes"
    } catch let error as Silence {
      return error.description
    } catch let error as HTTPTransportError {
      return error.description
    } catch {
      return String(describing: error)
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

  /// The parts of a body, until none has come for too long.
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
