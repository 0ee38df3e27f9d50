/// The state of a sender's requests. A timeout uses it to say which step took too long.
///
/// A transport that does not report leaves it at ``Phase/underWay``.
public final class RequestProgress: Sendable {
  /// The state of the last request.
  public enum Phase: Sendable, Hashable {
    /// No request is under way.
    case idle
    /// The transport has the request.
    case underWay
    /// The transport is connecting.
    case connecting
    /// The request is being sent over a connection.
    case connected
  }

  private struct State: Sendable {
    var phase = Phase.idle
    var answers = 0
  }

  private let state = Locked(State())

  /// Creates the progress of a sender that has sent no request.
  public init() {}

  /// The state of the last request.
  public var phase: Phase { state.current.phase }

  /// The number of responses so far.
  public var answers: Int { state.current.answers }

  /// Records a new state of the request.
  public func reached(_ phase: Phase) {
    state.withLock { $0.phase = phase }
  }

  /// Records that the request is over.
  public func ended(answered: Bool) {
    state.withLock { state in
      state.phase = .idle
      if answered { state.answers += 1 }
    }
  }

  /// The error for a request that timed out.
  public var expiry: HTTPTransportError {
    phase == .connecting ? .notConnected : .timedOut
  }

  /// The error for a missed ``Deadline``.
  public func failure(_ miss: Deadline.Miss) -> HTTPTransportError {
    switch miss {
    case .timedOut: expiry
    case .cancelled: .cancelled
    }
  }
}
