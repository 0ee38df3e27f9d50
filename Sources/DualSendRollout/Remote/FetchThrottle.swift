import DualSendCore

/// When the next request may go. Measures every wait by uptime; a wrong wall clock does no harm.
struct FetchThrottle: Sendable {
  private static let hintInterval = Duration.seconds(1)

  private let minimumInterval: Duration
  private let backoff: RetryBackoff
  private(set) var failures = 0
  private var openAt: Duration?
  private var answeredAt: Duration?
  /// Until when the server asked to be left alone.
  private(set) var retryAfterEnd: Duration?

  init(minimumInterval: Duration, backoff: RetryBackoff) {
    self.minimumInterval = minimumInterval
    self.backoff = backoff
  }

  /// The time until a request may go; `nil` if it may go now.
  func wait(at now: Duration) -> Duration? {
    [openAt, retryAfterEnd].compactMap { $0 }.max().flatMap { $0 > now ? $0 - now : nil }
  }

  /// The time until a request may go that a stream has hinted at; `nil` if it may go now. A hint overrides the minimum
  /// interval, but neither a server's wish to be left alone nor the back-off, and not more than once a second.
  func waitAfterHint(at now: Duration) -> Duration? {
    let opening = failures > 0 ? openAt : answeredAt.map { $0 + Self.hintInterval }
    return [opening, retryAfterEnd].compactMap { $0 }.max().flatMap { $0 > now ? $0 - now : nil }
  }

  /// The server answered as it should, whatever was then found in its document.
  mutating func noteAnswer(at now: Duration) {
    answeredAt = now
    failures = 0
    retryAfterEnd = nil
    openAt = now + minimumInterval
  }

  /// The server answered badly or not at all.
  ///
  /// - Returns: the back-off before a loop asks again by itself.
  mutating func noteFailure(
    _ failure: RemoteConfigFetcher.Failure, retryAfter: Duration?, at now: Duration, fraction: () -> Double
  ) -> Duration {
    failures += 1
    let delay = backoff.delay(afterFailures: failures, fraction: fraction) ?? backoff.cap
    retryAfterEnd = retryAfter.map { now + $0 }
    // Nobody was asked, so nobody needs to be spared: an app that starts offline may fetch as soon as it is online.
    openAt = failure.isUnreachable ? nil : now + delay
    return delay
  }

  /// Goes on with what the server asked for in an earlier run.
  mutating func resume(retryAfter: Duration, at now: Duration) {
    retryAfterEnd = now + min(max(retryAfter, .zero), RetryAfter.cap)
  }
}
