import DualSendCore

/// Cuts the time of events into sessions.
///
/// Several sinks ask about the same events, each in its own time. So sessions are spans of time, not a state that the last
/// event leaves: an event that lies in a span, or no longer than the time-out behind its end, belongs to it.
struct SessionClock: Sendable {
  private struct Session: Sendable {
    let id: String
    let start: Int64
    var end: Int64
  }

  /// So many sessions back a sink may be late.
  private static let kept = 64

  private let timeout: Int64
  private var sessions: [Session] = []

  /// - Parameter timeout: in milliseconds; an event that comes later than this after the last begins a new session.
  init(timeout: Int64) {
    self.timeout = timeout
  }

  /// The session of an event.
  ///
  /// - Parameter makeID: names a session that begins.
  mutating func session(at time: Int64, makeID: () -> String) -> String {
    if let index = sessions.lastIndex(where: { $0.start <= time && follows(time, $0.end) }) {
      // The next one begins later, or the event would be its.
      sessions[index].end = max(sessions[index].end, time)
      return sessions[index].id
    }
    // An event from before the first session that is remembered, by a clock that was set back: no session of its own if
    // it is close to one.
    if let next = sessions.first(where: { $0.start > time && follows($0.start, time) }) { return next.id }
    let id = makeID()
    let index = sessions.firstIndex { $0.start > time } ?? sessions.endIndex
    sessions.insert(Session(id: id, start: time, end: time), at: index)
    if sessions.count > Self.kept { sessions.removeFirst() }
    return id
  }

  /// Whether a time is no longer than the time-out behind another. A distance that overflows is longer.
  private func follows(_ time: Int64, _ earlier: Int64) -> Bool {
    let (distance, overflow) = time.subtractingReportingOverflow(earlier)
    return !overflow && distance <= timeout
  }
}
