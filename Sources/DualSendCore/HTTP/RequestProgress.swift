/// How far the requests of one sender have come, so that a wait that ends can say what it waited for.
///
/// A transport that does not tell leaves it at ``Phase/underWay``.
public final class RequestProgress: Sendable {
  /// How far the last request has come.
  public enum Phase: Sendable, Hashable {
    /// None is under way.
    case idle
    /// It was handed to the transport.
    case underWay
    /// The transport looks for a connection.
    case connecting
    /// A connection takes it.
    case connected
  }

  private struct State: Sendable {
    var phase = Phase.idle
    var answers = 0
  }

  private let state = Locked(State())

  /// Creates the progress of a sender that has sent nothing.
  public init() {}

  /// How far the last request has come.
  public var phase: Phase { state.current.phase }

  /// How many answers have come.
  public var answers: Int { state.current.answers }

  /// Notes how far the request has come.
  public func reached(_ phase: Phase) {
    state.withLock { $0.phase = phase }
  }

  /// Notes that the request is over.
  public func ended(answered: Bool) {
    state.withLock { state in
      state.phase = .idle
      if answered { state.answers += 1 }
    }
  }

  /// What a request comes to whose time is up.
  public var expiry: HTTPTransportError {
    phase == .connecting ? .notConnected : .timedOut
  }

  /// What a transport throws when the answer did not come before the ``Deadline``.
  public func failure(_ miss: Deadline.Miss) -> HTTPTransportError {
    switch miss {
    case .timedOut: expiry
    case .cancelled: .cancelled
    }
  }
}
