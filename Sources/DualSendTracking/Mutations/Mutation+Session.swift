import DualSendCore

extension Mutation {
  /// Adds a session's id: the same for all events that follow each other within the time-out, and in all sinks.
  ///
  /// Sessions are cut by the events' own times and live as long as the mutation: a launch begins a new one.
  ///
  /// - Parameters:
  ///   - key: where the id stands.
  ///   - timeout: an event that comes later than this after the last begins a session; 30 minutes by default, as
  ///     Google Analytics has it.
  ///   - scope: the sinks whose events have it.
  ///   - makeID: names a session; by default a random UUID version 7.
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
