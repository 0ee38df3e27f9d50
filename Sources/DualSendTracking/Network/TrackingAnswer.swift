public import DualSendCore

/// What the collector's answer to one batch means for the batch.
package enum TrackingAnswer: Sendable, Hashable {
  /// The collector has the batch, except the events it refused by id.
  case accepted(rejected: [EventID: String])
  /// The batch is larger than the collector takes: halve it.
  case tooLarge(status: Int)
  /// Something in the batch is not what the collector takes: bisect it.
  case invalid(status: Int)
  /// No batch will get through until somebody changes something.
  case refused(TrackingOutcome.PauseReason)
  /// Not now: keep the batch and come back.
  case unavailable(TrackingOutcome.RetryReason, retryAfter: Duration?)

  /// Reads an answer by the table of the protocol.
  ///
  /// - Parameter requiresJSON: whether only a JSON object acknowledges a batch.
  package init(_ response: HTTPTransportResponse, wallMilliseconds: Int64, requiresJSON: Bool = false) {
    switch response.status {
    case 200..<300:
      let acknowledgement = Acknowledgement(response)
      if let reason = acknowledgement.doubt(requiresJSON: requiresJSON) {
        let delay = RetryAfter.delay(in: response, wallMilliseconds: wallMilliseconds)
        self = .unavailable(reason, retryAfter: delay)
      } else {
        self = .accepted(rejected: acknowledgement.rejected)
      }
    case 413: self = .tooLarge(status: 413)
    case 400, 422: self = .invalid(status: response.status)
    case 408, 425, 429, 500...:
      let delay = RetryAfter.delay(in: response, wallMilliseconds: wallMilliseconds)
      self = .unavailable(.status(response.status), retryAfter: delay)
    default: self = .refused(.status(response.status))
    }
  }

  /// Reads why there is no answer.
  package init(_ error: HTTPTransportError) {
    switch error {
    // It will redirect again: somebody has to change the address, or the server.
    case .redirectRefused(let redirect): self = .refused(.redirected(redirect))
    default: self = .unavailable(.transport(error), retryAfter: nil)
    }
  }
}

extension TrackingOutcome {
  /// Why delivery waits for a change.
  public enum PauseReason: Sendable, Hashable {
    /// The collector answered with a status that trying again does not cure, such as 401, 403 or 404.
    case status(Int)
    /// The collector redirects in a way that must not be followed, such as with 302, which would lose the batch.
    case redirected(HTTPTransportError.RefusedRedirect)
    /// The collector refused every event of a long row, one by one, so it is unlikely that the events are at fault.
    case everythingRejected(status: Int)
    /// The receiver said so, in these words.
    case receiver(String)
    /// ``Tracker/pause()`` was called.
    case manual
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
    /// The receiver said so, in these words.
    case receiver(String)
  }
}

extension TrackingOutcome.PauseReason: CustomStringConvertible {
  /// One factual line.
  public var description: String {
    switch self {
    case .status(let status): "the collector answers \(status)"
    case .redirected(let redirect): redirect.description
    case .everythingRejected(let status): "the collector rejects every event with \(status)"
    case .receiver(let reason): reason
    case .manual: "paused by the app"
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
    case .receiver(let reason): reason
    }
  }
}
