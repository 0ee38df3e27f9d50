import DualSendCore

extension Mutation {
  /// Adds a session id. It is the same in all sinks, and changes after a gap longer than the timeout.
  ///
  /// Sessions follow the times of the events and end with the mutation, so a launch starts a new session.
  ///
  /// - Parameters:
  ///   - key: the key for the id.
  ///   - timeout: a longer gap between events starts a new session. 30 minutes by default, as in Google Analytics.
  ///   - scope: the sinks whose events get it.
  ///   - makeID: creates a session id; by default a random UUID version 7.
  public static func session(
    key: String = "session_id", timeout: Duration = .seconds(30 * 60), for scope: Sink.Scope = .all,
    makeID: (@Sendable () -> String)? = nil
  ) -> Mutation {
    let clock = Locked(SessionClock(timeout: timeout.inMilliseconds))
    let generator = Locked(EventIDGenerator())
    return Mutation("session", for: scope) { event in
      let id = clock.withLock { clock in
        clock.session(at: event.time) {
          makeID?() ?? generator.withLock { EventID(milliseconds: event.time, using: &$0) }.description
        }
      }
      event.parameters[key] = .string(id)
    }
  }
}

/// Assigns events to sessions by their times.
///
/// Several sinks process the same events at different times, so sessions are intervals, not the state after the last
/// event. An event belongs to an interval if it is inside, or at most the timeout after its end.
struct SessionClock: Sendable {
  private struct Session: Sendable {
    let id: String
    let start: Int64
    var end: Int64
  }

  /// How many sessions are kept for sinks that lag.
  private static let kept = 64

  private let timeout: Int64
  private var sessions: [Session] = []

  /// - Parameter timeout: in milliseconds; a longer gap starts a new session.
  init(timeout: Int64) {
    self.timeout = timeout
  }

  /// The session of an event.
  ///
  /// - Parameter makeID: creates the id of a new session.
  mutating func session(at time: Int64, makeID: () -> String) -> String {
    if let index = sessions.lastIndex(where: { $0.start <= time && follows(time, $0.end) }) {
      // The next session starts later, or it would contain the event.
      sessions[index].end = max(sessions[index].end, time)
      return sessions[index].id
    }
    // The event is before the first session, because the clock was set back. If it is close to a session, it belongs to
    // it.
    if let next = sessions.first(where: { $0.start > time && follows($0.start, time) }) { return next.id }
    let id = makeID()
    let index = sessions.firstIndex { $0.start > time } ?? sessions.endIndex
    sessions.insert(Session(id: id, start: time, end: time), at: index)
    if sessions.count > Self.kept { sessions.removeFirst() }
    return id
  }

  /// Whether a time is at most the timeout after another. An overflow counts as longer.
  private func follows(_ time: Int64, _ earlier: Int64) -> Bool {
    let (distance, overflow) = time.subtractingReportingOverflow(earlier)
    return !overflow && distance <= timeout
  }
}
