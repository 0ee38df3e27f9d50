public import DualSendCore

extension TrackingOutcome {
  /// Why delivery waits for a change.
  public enum PauseReason: Sendable, Hashable {
    /// The collector answered with a status that trying again does not cure, such as 401, 403 or 404.
    case status(Int)
    /// The collector redirects in a way that must not be followed, such as with 302, which would lose the batch.
    case redirected(HTTPTransportError.RefusedRedirect)
    /// A long row of events was refused one by one, the last for this reason, so it is unlikely that the events are at
    /// fault.
    case everythingRejected(String)
    /// The collector or the receiver reported this.
    case reported(String)
    /// ``Tracker/pause()`` was called.
    case manual
    /// The adapter's breaker keeps the new side off.
    case breaker
  }
}

extension TrackingOutcome {
  /// Why a batch has to be sent again.
  public enum RetryReason: Sendable, Hashable {
    /// The collector answered with a status that may change, such as 429 or 503.
    case status(Int)
    /// The answer has a status of success, but it is a web page, as a captive portal or a proxy sends it.
    case webPage(status: Int)
    /// The answer has a status of success, but not the JSON object that ``TrackingEndpoint`` demands.
    case notAcknowledged(status: Int)
    /// There was no answer.
    case transport(HTTPTransportError)
    /// The server asked in an earlier launch to be left alone for a time.
    case askedToWait
    /// The collector or the receiver reported this.
    case reported(String)
  }
}

extension TrackingOutcome.PauseReason: CustomStringConvertible {
  /// One factual line.
  public var description: String {
    switch self {
    case .status(let status): "the collector answers \(status)"
    case .redirected(let redirect): redirect.description
    case .everythingRejected(let reason): "every event is \(reason)"
    case .reported(let reason): reason
    case .manual: "paused by the app"
    case .breaker: "the breaker on the device keeps the new side off"
    }
  }
}

extension TrackingOutcome.RetryReason: CustomStringConvertible {
  /// One factual line.
  public var description: String {
    switch self {
    case .status(let status): "the collector answers \(status)"
    case .webPage(let status):
      "the answer \(status) is a web page, no acknowledgement: a captive portal or a proxy answers instead of the collector"
    case .notAcknowledged(let status): "the answer \(status) is not the JSON object that acknowledges a batch"
    case .transport(let error): error.description
    case .askedToWait: "the collector asked an earlier run to wait (Retry-After)"
    case .reported(let reason): reason
    }
  }
}
