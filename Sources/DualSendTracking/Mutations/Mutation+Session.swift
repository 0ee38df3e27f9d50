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
