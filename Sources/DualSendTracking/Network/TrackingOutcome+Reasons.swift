public import DualSendCore

extension TrackingOutcome {
  /// Why delivery is paused.
  public enum PauseReason: Sendable, Hashable {
    /// The collector responded with a status that a retry does not cure, such as 401, 403 or 404.
    case status(Int)
    /// The collector sent a redirect that must not be followed, such as a 302, which would lose the batch.
    case redirected(HTTPTransportError.RefusedRedirect)
    /// Many events in a row were refused, the last for this reason, so the events are probably not at fault.
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
    /// The collector responded with a temporary status, such as 429 or 503.
    case status(Int)
    /// The response is successful but is a web page, for example of a captive portal or a proxy.
    case webPage(status: Int)
    /// The response is successful but lacks the JSON object that the ``TrackingEndpoint`` requires.
    case notAcknowledged(status: Int)
    /// There was no response.
    case transport(HTTPTransportError)
    /// In an earlier launch, the server asked to wait (`Retry-After`).
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
      "the response \(status) is a web page and acknowledges nothing: a captive portal or a proxy responded instead of the collector"
    case .notAcknowledged(let status): "the answer \(status) is not the JSON object that acknowledges a batch"
    case .transport(let error): error.description
    case .askedToWait: "the collector asked an earlier run to wait (Retry-After)"
    case .reported(let reason): reason
    }
  }
}
