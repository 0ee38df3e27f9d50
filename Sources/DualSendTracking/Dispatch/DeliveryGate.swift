import DualSendCore

/// Decides when requests may be sent, by back-off, `Retry-After`, pauses and consent.
///
/// Does not read a clock: callers pass the uptime.
struct DeliveryGate: Sendable {
  /// Why nothing may be sent.
  enum Obstacle: Sendable, Hashable {
    case consent
    case paused(TrackingOutcome.PauseReason)
    case failing(TrackingOutcome.RetryReason)
  }

  private let backoff: RetryBackoff
  var consent: Tracker.Consent
  var isHeldByBreaker = false
  private var isPausedByApp = false
  private var pause: (reason: TrackingOutcome.PauseReason, until: Duration)?
  private var failures = 0
  /// Why the last request failed; `nil` once one has succeeded.
  private(set) var lastFailure: TrackingOutcome.RetryReason?
  /// When the next attempt is due. After a failure, `nil` means no automatic attempt.
  private var retryAt: Duration?
  /// Before then, a network that returns makes no attempt due.
  private var nextReturn: Duration?
  /// The end of a wait that the server asked for, and the status with which it did.
  private var serverAsks: (until: Duration, reason: TrackingOutcome.RetryReason)?

  init(backoff: RetryBackoff, consent: Tracker.Consent) {
    self.backoff = backoff
    self.consent = consent
  }

  /// Why no request may be sent now; `nil` if one may.
  func obstacle(at now: Duration) -> Obstacle? {
    if consent != .granted { return .consent }
    if isHeldByBreaker { return .paused(.breaker) }
    if isPausedByApp { return .paused(.manual) }
    if let pause, now < pause.until { return .paused(pause.reason) }
    if let serverAsks, now < serverAsks.until { return .failing(lastFailure ?? serverAsks.reason) }
    if let lastFailure, retryAt.map({ now < $0 }) ?? true { return .failing(lastFailure) }
    return nil
  }

  /// When the obstacle ends by itself; `nil` if it does not.
  func openingTime(at now: Duration) -> Duration? {
    switch obstacle(at: now) {
    case nil: now
    case .consent, .paused(.manual), .paused(.breaker): nil
    case .paused: pause?.until
    case .failing:
      if lastFailure != nil, retryAt == nil { nil } else { max(retryAt ?? now, serverAsks?.until ?? now) }
    }
  }

  /// The wait before the next attempt after a failure; `nil` if it is not waiting for a time.
  func wait(at now: Duration) -> Tracker.FlushReport.Wait? {
    guard case .failing = obstacle(at: now), let opening = openingTime(at: now) else { return nil }
    return Tracker.FlushReport.Wait(duration: opening - now, isAskedByServer: opening == serverAsks?.until)
  }

  /// Records a success and resets the back-off.
  mutating func succeeded() {
    failures = 0
    lastFailure = nil
    retryAt = nil
    serverAsks = nil
    pause = nil
  }

  /// Records a failure. Returns the wait before the next attempt; `nil` if no automatic attempt follows.
  mutating func failed(
    _ reason: TrackingOutcome.RetryReason, retryAfter: Duration?, at now: Duration, fraction: () -> Double
  ) -> Duration? {
    failures += 1
    lastFailure = reason
    if let retryAfter { serverAsks = (now + retryAfter, reason) }
    guard let delay = backoff.delay(afterFailures: failures, fraction: fraction) else {
      retryAt = nil
      return nil
    }
    let wait = max(delay, retryAfter ?? .zero)
    retryAt = now + wait
    return wait
  }

  /// Restores a `Retry-After` of an earlier launch.
  mutating func serverAsks(until moment: Duration) {
    serverAsks = (moment, .askedToWait)
  }

  mutating func refused(_ reason: TrackingOutcome.PauseReason, until moment: Duration) {
    pause = (reason, moment)
  }

  mutating func setPausedByApp(_ isPaused: Bool) {
    isPausedByApp = isPaused
    if !isPaused { pause = nil }
  }

  /// Makes the next attempt due at once, at most every ten seconds, because a network that flaps returns again and again.
  mutating func networkReturned(at now: Duration) {
    guard lastFailure != nil, nextReturn.map({ $0 <= now }) ?? true else { return }
    (retryAt, nextReturn) = (now, now + .seconds(10))
  }

  /// Makes the next attempt due at once, unless the server asked for more time or delivery is paused.
  mutating func retryNow() {
    failures = 0
    lastFailure = nil
    retryAt = nil
  }

  /// Resets everything that the responses of the old endpoint caused.
  mutating func endpointChanged() {
    retryNow()
    serverAsks = nil
    pause = nil
  }
}
