public import DualSendCore

/// Changes, renames or drops events, for all sinks or for some.
///
/// ```swift
/// SinkGroup(
///   [.tracker("collector", tracker), .buffered("amplitude", to: receiver)],
///   mutations: [
///     .parameters(["app": "shop"]),
///     .session(),
///     Mutation("screen", for: .except(["amplitude"])) { event in
///       if let screen = event.original as? ScreenEvent { event.parameters["screen"] = .string(screen.id) }
///     },
///     Mutation("no debug") { event in if event.name.hasPrefix("debug.") { event.drop() } },
///     .redaction(of: ["*email*", "phone"]),
///   ])
/// ```
///
/// Mutations run in order; if two set the same key, the later one wins. They see an event as its sink will get it: in a
/// migration after the remapping, with the new keys on the new side. For sinks with a store they run off the caller's
/// thread, otherwise on it. In a migration, the old logger and sinks that are called like it get their events
/// unchanged. Only ``Place/caller`` mutations affect them: these run once, on the caller's thread, before everything
/// else, and change both sides. The rollout always decides by the call site's name.
///
/// If a mutation throws, its changes of that event are undone, the event continues, and the failure is counted
/// (`mutationFailures` of the front). The mutations can be changed at any time (`changeMutations(_:)`); an event uses
/// those in force when it was logged. A tracker's own mutations (`TrackerConfiguration.mutations`) run after those of
/// its front.
public struct Mutation: Sendable {
  /// Where a mutation runs.
  public enum Place: Sendable, Hashable {
    /// Once for each sink, off the caller's thread if the sink has a store.
    case sink
    /// Once for each event, on the caller's thread.
    case caller
  }

  /// The name under which failures are counted.
  public let name: String
  /// The sinks whose events it changes. Ignored for a ``Place/caller`` mutation.
  public let scope: Sink.Scope
  /// Where it runs.
  public let place: Place
  /// Reads the state of the app on the caller's thread, when an event is logged; `nil` if the mutation needs none.
  let capture: (@Sendable () -> [String: EventValue])?
  let body: @Sendable (inout Mutation.Event, _ captured: [String: EventValue]) throws -> Void

  /// Creates a mutation.
  ///
  /// - Parameters:
  ///   - name: the name under which failures are counted.
  ///   - scope: the sinks whose events it changes.
  ///   - place: where it runs.
  ///   - body: may be called on several threads at once, one for each sink. Must return quickly.
  public init(
    _ name: String, for scope: Sink.Scope = .all, on place: Place = .sink,
    _ body: @escaping @Sendable (inout Mutation.Event) throws -> Void
  ) {
    self.name = name
    self.scope = scope
    self.place = place
    capture = nil
    self.body = { event, _ in try body(&event) }
  }

  /// Creates a mutation that needs the state of the app as it was when the event was logged, such as the user.
  ///
  /// - Parameters:
  ///   - name: the name under which failures are counted.
  ///   - scope: the sinks whose events it changes.
  ///   - capture: reads the state, on the caller's thread, for each event and each of these sinks that may receive it.
  ///     Must return at once.
  ///   - body: changes the event later, with what `capture` returned. Called as the body of other mutations.
  public init(
    _ name: String, for scope: Sink.Scope = .all, capturing capture: @escaping @Sendable () -> [String: EventValue],
    _ body: @escaping @Sendable (inout Mutation.Event, _ captured: [String: EventValue]) throws -> Void
  ) {
    self.name = name
    self.scope = scope
    place = .sink
    self.capture = capture
    self.body = body
  }
}

extension Mutation {
  /// Adds the same parameters to every event.
  public static func parameters(
    _ parameters: [String: EventValue], for scope: Sink.Scope = .all
  ) -> Mutation {
    Mutation("parameters", for: scope) { event in
      event.parameters.merge(parameters) { _, shared in shared }
    }
  }

  /// Adds the user's identifier, read on the caller's thread when an event is logged, if there is one.
  public static func userID(
    key: String = "user_id", for scope: Sink.Scope = .all, _ current: @escaping @Sendable () -> String?
  ) -> Mutation {
    Mutation("userID", for: scope, capturing: { current().map { [key: .string($0)] } ?? [:] }) { event, user in
      event.parameters.merge(user) { _, id in id }
    }
  }

  /// Adds the event's time in RFC 3339, in UTC with milliseconds.
  public static func timestamp(key: String = "timestamp", for scope: Sink.Scope = .all) -> Mutation {
    Mutation("timestamp", for: scope) { event in
      event.parameters[key] = .string(Timestamp.text(milliseconds: event.time))
    }
  }
}

// MARK: - Event

extension Mutation {
  /// An event on its way to one sink. A ``Mutation`` may rename it, change its parameters, or drop it.
  public struct Event: Sendable {
    /// The name for the sink.
    public var name: String
    /// The parameters, with the sink's keys.
    public var parameters: [String: EventValue]
    /// The id; the same in every sink.
    public let id: EventID
    /// When it happened, in milliseconds since 1970-01-01T00:00:00Z.
    public let time: Int64
    /// The sink; `nil` for a mutation on the caller's thread, which runs once for all sinks.
    public let sink: Sink.ID?
    /// The typed event that was logged; `nil` for a name with a dictionary.
    public let original: (any TypedEvent)?
    /// Whether a mutation has dropped it.
    public private(set) var isDropped = false

    /// Creates an event for testing a mutation.
    public init(
      name: String, parameters: [String: EventValue], id: EventID, time: Int64, sink: Sink.ID? = nil,
      original: (any TypedEvent)? = nil
    ) {
      self.name = name
      self.parameters = parameters
      self.id = id
      self.time = time
      self.sink = sink
      self.original = original
    }

    /// Drops the event for the sink, which counts it (`DropReason.redacted`). Later mutations do not run.
    public mutating func drop() {
      isDropped = true
    }
  }
}

// MARK: - Device

extension Mutation {
  /// Adds facts about the device and the app: `os_name`, `os_version`, `device_model`, `locale`, `app_version`,
  /// `app_build`, and on Apple platforms `low_power_mode`. Unknown facts are omitted. An existing value of the event is
  /// kept.
  ///
  /// Facts are read once, except for the locale and Low Power Mode, which are read when an event is logged.
  ///
  /// - Parameters:
  ///   - prefix: a prefix for each key.
  ///   - screen: the size in points, for `screen_width` and `screen_height`. The app reads it from its scene on the
  ///     main actor.
  ///   - scope: the sinks whose events get it.
  public static func device(
    prefix: String = "", screen: (width: Double, height: Double)? = nil, for scope: Sink.Scope = .all
  ) -> Mutation {
    var fixed = DeviceFacts.fixed()
    if let screen {
      fixed["screen_width"] = .double(screen.width)
      fixed["screen_height"] = .double(screen.height)
    }
    return Mutation("device", for: scope, capturing: { DeviceFacts.changing }) { [fixed] event, changing in
      for (key, value) in fixed.merging(changing, uniquingKeysWith: { $1 }) {
        let key = prefix + key
        if event.parameters[key] == nil { event.parameters[key] = value }
      }
    }
  }
}

// MARK: - Session

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
