import DualSendCore

/// Limits the rate of requests. Measures uptime, so the wall clock has no effect.
struct FetchThrottle: Sendable {
  private static let hintInterval = Duration.seconds(1)

  private let minimumInterval: Duration
  private let backoff: RetryBackoff
  private(set) var failures = 0
  private var openAt: Duration?
  private var answeredAt: Duration?
  /// The end of the server's `Retry-After`.
  private(set) var retryAfterEnd: Duration?

  init(minimumInterval: Duration, backoff: RetryBackoff) {
    self.minimumInterval = minimumInterval
    self.backoff = backoff
  }

  /// The time until the next request is allowed; `nil` if it is allowed now.
  func wait(at now: Duration) -> Duration? {
    [openAt, retryAfterEnd].compactMap { $0 }.max().flatMap { $0 > now ? $0 - now : nil }
  }

  /// The time until a request after a stream's hint is allowed; `nil` if it is allowed now. A hint overrides the minimum
  /// interval at most once a second. It overrides neither `Retry-After` nor the back-off.
  func waitAfterHint(at now: Duration) -> Duration? {
    let opening = failures > 0 ? openAt : answeredAt.map { $0 + Self.hintInterval }
    return [opening, retryAfterEnd].compactMap { $0 }.max().flatMap { $0 > now ? $0 - now : nil }
  }

  /// Records a response without a server error, even if its document is refused.
  mutating func noteAnswer(at now: Duration) {
    answeredAt = now
    failures = 0
    retryAfterEnd = nil
    openAt = now + minimumInterval
  }

  /// Records an error response, or no response.
  ///
  /// - Returns: the delay before polling continues.
  mutating func noteFailure(
    _ failure: RemoteConfigFetcher.Failure, retryAfter: Duration?, at now: Duration, fraction: () -> Double
  ) -> Duration {
    failures += 1
    let delay = backoff.delay(afterFailures: failures, fraction: fraction) ?? backoff.cap
    retryAfterEnd = retryAfter.map { now + $0 }
    // No request reached the server, so the throttle does not apply: an app may fetch as soon as it is online.
    openAt = failure.isUnreachable ? nil : now + delay
    return delay
  }

  /// Restores the `Retry-After` of an earlier launch.
  mutating func resume(retryAfter: Duration, at now: Duration) {
    retryAfterEnd = now + min(max(retryAfter, .zero), RetryAfter.cap)
  }
}
