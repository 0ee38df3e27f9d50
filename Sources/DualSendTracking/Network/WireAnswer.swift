public import DualSendCore

/// What becomes of a request's events.
public enum WireAnswer: Sendable, Hashable {
  /// The collector has the events, except those that it will never take: they become dead letters with these reasons.
  /// If it takes none of the request's, each counts as a single refusal: after more than 100 of those in a row delivery
  /// pauses and they are put back. A warning is logged: for collectors that say that they dropped events, but not which.
  case delivered(rejected: [EventID: String] = [:], warning: String? = nil)
  /// The collector took none, because of these: they become dead letters with these reasons, and the others are sent
  /// again at once. If it names all of them or none, the request is bisected as for ``invalid(_:)``.
  case rejected([EventID: String])
  /// The collector took none, because of one or more that it does not name: the request is bisected until each stands
  /// alone and becomes a dead letter with this reason.
  case invalid(String)
  /// The request is larger than the collector takes: it is halved, and an event that is too large alone becomes a dead
  /// letter with this reason.
  case tooLarge(String)
  /// Nothing will get through until something changes: delivery pauses, and everything is kept.
  case refused(TrackingOutcome.PauseReason)
  /// Not now: everything is kept and sent again after the back-off, and not before this wait is over. Without a wait,
  /// the answer's `Retry-After` counts.
  case retry(TrackingOutcome.RetryReason, after: Duration? = nil)

  /// What a status says, whatever the body holds.
  ///
  /// | status | answer |
  /// |---|---|
  /// | 2xx | ``delivered(rejected:warning:)`` |
  /// | 400, 422 | ``invalid(_:)`` |
  /// | 413 | ``tooLarge(_:)`` |
  /// | 408, 425, 429, 5xx | ``retry(_:after:)`` |
  /// | any other | ``refused(_:)`` |
  public init(status: Int) {
    self =
      switch status {
      case 200..<300: .delivered()
      case 413: .tooLarge("413")
      case 400, 422: .invalid("\(status)")
      case 408, 425, 429, 500...: .retry(.status(status))
      default: .refused(.status(status))
      }
  }

  /// Reads why there is no answer.
  init(_ error: HTTPTransportError) {
    switch error {
    // It will redirect again until the address, or the server, is changed.
    case .redirectRefused(let redirect): self = .refused(.redirected(redirect))
    default: self = .retry(.transport(error))
    }
  }

  /// The same, with bounded waits and words that are fit for a line of a log: they come from outside.
  var bounded: WireAnswer {
    switch self {
    case .delivered(let rejected, let warning):
      .delivered(rejected: rejected.mapValues(Self.line), warning: warning.map(Self.line))
    case .rejected(let rejected): .rejected(rejected.mapValues(Self.line))
    case .invalid(let reason): .invalid(Self.line(reason))
    case .tooLarge(let reason): .tooLarge(Self.line(reason))
    case .refused(.reported(let reason)): .refused(.reported(Self.line(reason)))
    case .retry(.reported(let reason), let wait): .retry(.reported(Self.line(reason)), after: wait.map(Self.bounded))
    case .retry(let reason, let wait): .retry(reason, after: wait.map(Self.bounded))
    case .refused: self
    }
  }

  /// A reason is kept and shown for as long as the dead letter is.
  private static func line(_ text: String) -> String {
    text.printable(limit: PrintableText.lineLimit)
  }

  private static func bounded(_ wait: Duration) -> Duration {
    min(max(wait, .zero), RetryAfter.cap)
  }
}
