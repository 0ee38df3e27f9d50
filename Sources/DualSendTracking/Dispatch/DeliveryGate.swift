import DualSendCore

/// Says whether a request may be sent now, and if not, until when: back-off, `Retry-After`, pauses and consent.
///
/// It reads no clock: callers pass the time. All times are uptimes.
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
  /// When the next attempt is due; `nil` with a failure means: not by itself.
  private var retryAt: Duration?
  /// The moment before which the server does not want to be asked, and the answer in which it said so.
  private var serverAsks: (until: Duration, reason: TrackingOutcome.RetryReason)?

  init(backoff: RetryBackoff, consent: Tracker.Consent) {
    self.backoff = backoff
    self.consent = consent
  }

  /// What stands in the way at this moment; `nil` if a request may go.
  func obstacle(at now: Duration) -> Obstacle? {
    if consent != .granted { return .consent }
    if isHeldByBreaker { return .paused(.breaker) }
    if isPausedByApp { return .paused(.manual) }
    if let pause, now < pause.until { return .paused(pause.reason) }
    if let serverAsks, now < serverAsks.until { return .failing(lastFailure ?? serverAsks.reason) }
    if let lastFailure, retryAt.map({ now < $0 }) ?? true { return .failing(lastFailure) }
    return nil
  }

  /// When the obstacle goes by itself; `nil` if it does not.
  func opens(at now: Duration) -> Duration? {
    switch obstacle(at: now) {
    case nil: now
    case .consent, .paused(.manual), .paused(.breaker): nil
    case .paused: pause?.until
    case .failing:
      if lastFailure != nil, retryAt == nil { nil } else { max(retryAt ?? now, serverAsks?.until ?? now) }
    }
  }

  /// How long the next attempt waits after a failure; `nil` if it does not wait for a time.
  func wait(at now: Duration) -> Tracker.FlushReport.Wait? {
    guard case .failing = obstacle(at: now), let opening = opens(at: now) else { return nil }
    return Tracker.FlushReport.Wait(duration: opening - now, isAskedByServer: opening == serverAsks?.until)
  }

  /// Notes a success: the next failure starts at the first step again.
  mutating func succeeded() {
    failures = 0
    lastFailure = nil
    retryAt = nil
    serverAsks = nil
    pause = nil
  }

  /// Notes a failure and returns the wait before the next attempt; `nil` if none follows by itself.
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

  /// Restores the wait that a server asked for before a restart.
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

  /// Makes the next attempt due at once, unless the server asked for more time or delivery is paused.
  mutating func hurry() {
    failures = 0
    lastFailure = nil
    retryAt = nil
  }

  /// Forgets everything that an answer of the old endpoint caused.
  mutating func endpointChanged() {
    hurry()
    serverAsks = nil
    pause = nil
  }
}
