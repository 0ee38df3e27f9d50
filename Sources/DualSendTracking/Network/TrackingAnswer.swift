@_spi(Tools) public import DualSendCore

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
  package init(_ response: HTTPTransportResponse, wallMilliseconds: Int64) {
    switch response.status {
    case 200..<300: self = .accepted(rejected: Self.rejected(in: response.body))
    case 413: self = .tooLarge(status: 413)
    case 400, 422: self = .invalid(status: response.status)
    case 408, 425, 429, 500...:
      let delay = RetryAfter.delay(in: response, wallMilliseconds: wallMilliseconds)
      self = .unavailable(.status(response.status), retryAfter: delay)
    default: self = .refused(.status(response.status))
    }
  }

  /// The ids that a body `{"rejected":[{"eventId":…,"reason":…}]}` names; a body of any other form names none.
  private static func rejected(in body: [UInt8]) -> [EventID: String] {
    guard case .object(let members)? = try? JSONReader().value(body), case .array(let entries)? = members["rejected"]
    else { return [:] }
    var rejected: [EventID: String] = [:]
    for case .object(let entry) in entries {
      guard case .string(let text)? = entry["eventId"], let id = EventID(text) else { continue }
      if case .string(let reason)? = entry["reason"] { rejected[id] = reason } else { rejected[id] = "rejected" }
    }
    return rejected
  }
}

extension TrackingOutcome {
  /// Why delivery waits for a change.
  public enum PauseReason: Sendable, Hashable {
    /// The collector answered with a status that trying again does not cure, such as 401, 403 or 404.
    case status(Int)
    /// The collector refused every event of a long row, one by one, so it is unlikely that the events are at fault.
    case everythingRejected(status: Int)
    /// ``Tracker/pause()`` was called.
    case manual
  }
}

extension TrackingOutcome {
  /// Why a batch has to be sent again.
  public enum RetryReason: Sendable, Hashable {
    /// The collector answered with a status that may change, such as 429 or 503.
    case status(Int)
    /// There was no answer.
    case transport(HTTPTransportError)
  }
}

extension TrackingOutcome.PauseReason: CustomStringConvertible {
  /// One factual line.
  public var description: String {
    switch self {
    case .status(let status): "the collector answers \(status)"
    case .everythingRejected(let status): "the collector rejects every event with \(status)"
    case .manual: "paused by the app"
    }
  }
}

extension TrackingOutcome.RetryReason: CustomStringConvertible {
  /// One factual line.
  public var description: String {
    switch self {
    case .status(let status): "the collector answers \(status)"
    case .transport(let error): error.description
    }
  }
}
