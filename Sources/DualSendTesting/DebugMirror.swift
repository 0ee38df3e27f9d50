public import DualSend
public import DualSendCore
public import struct Foundation.URL

/// Shows an app's events to `dualsend console` while the app is developed: what somebody taps stands on the page within a
/// second, old and new side by side.
///
/// ```swift
/// #if DEBUG
///   let mirror = DebugMirror(console: consoleURL)
///   let sampling: ParitySampling? = mirror.sampling(unitID: { installationID })
/// #else
///   let sampling: ParitySampling? = nil
/// #endif
/// ```
///
/// It is a part of `DualSendTesting`, which a release build does not link: what it posts is not encrypted. It never waits
/// and never throws: events wait in memory, up to a limit, and the oldest ones are dropped where the console is too slow or
/// not there.
public final class DebugMirror: Sendable {
  /// An event as the mirror shows it.
  public struct Event: Sendable, Hashable {
    /// The id that both sides carry.
    public let id: EventID
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let time: Int64
    /// Whose event it is; `nil` if that is not known.
    public let unitID: String?
    /// The name and the values that the old logger was given; `nil` if it was given nothing.
    public let old: Side?
    /// The name and the values that the new tracker has; `nil` if it has nothing.
    public let new: Side?
    /// Which sinks the rollout selected; `nil` lets the console work it out.
    public let outcome: SinkDecision.Outcome?
    /// Why it selected those.
    public let reason: String?

    /// Creates an event.
    public init(
      id: EventID, time: Int64, unitID: String? = nil, old: Side?, new: Side?, outcome: SinkDecision.Outcome? = nil,
      reason: String? = nil
    ) {
      (self.id, self.time, self.unitID, self.old, self.new) = (id, time, unitID, old, new)
      (self.outcome, self.reason) = (outcome, reason)
    }
  }

  /// One side of an event.
  public struct Side: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The values.
    public let values: [String: EventValue]

    /// Creates a side.
    public init(name: String, values: [String: EventValue]) {
      (self.name, self.values) = (name, values)
    }
  }

  /// What became of the events so far.
  public struct Statistics: Sendable, Hashable {
    /// Those that the console has taken.
    public internal(set) var shown = 0
    /// Those that were dropped: the console did not take them, or more came than were kept.
    public internal(set) var dropped = 0

    /// Creates counts, to compare with.
    public init(shown: Int = 0, dropped: Int = 0) {
      (self.shown, self.dropped) = (shown, dropped)
    }
  }

  private struct State: Sendable {
    var waiting: [Event] = []
    var isSending = false
    var statistics = Statistics()
  }

  /// How long events are gathered, so that a tap that logs ten of them is one request.
  private static let gathering = Duration.milliseconds(200)
  private static let timeout = Duration.seconds(5)
  /// The most events in one request.
  private static let batch = 200

  private let url: URL
  private let capacity: Int
  private let transport: any HTTPTransport
  private let timeSource: TimeSource
  private let state = Locked(State())

  /// Creates a mirror.
  ///
  /// - Parameters:
  ///   - console: the address that `dualsend console` prints. A device that is not the machine itself reaches it by a
  ///     forwarded port: the console listens on the loopback interface only.
  ///   - capacity: the most events that wait.
  ///   - transport: how the console is reached.
  ///   - time: the clocks.
  public init(
    console: URL, capacity: Int = 1000, transport: any HTTPTransport = URLSessionTransport(),
    time: TimeSource = .system
  ) {
    url = console.appendingPathComponent("mirror")
    self.capacity = max(1, capacity)
    self.transport = transport
    timeSource = time
  }

  /// What became of the events so far.
  public var statistics: Statistics { state.current.statistics }

  /// Shows an event. Returns at once, on any thread.
  public func show(_ event: Event) {
    let starts = state.withLock { state -> Bool in
      if state.waiting.count == capacity {
        state.waiting.removeFirst()
        state.statistics.dropped += 1
      }
      state.waiting.append(event)
      defer { state.isSending = true }
      return !state.isSending
    }
    if starts { Task { await send() } }
  }

  /// A sampling that shows every pair, to be handed to `DualSendTracker`. Events that go to one sink only are not among
  /// them; ``show(_:)`` those.
  ///
  /// - Parameter unitID: whose events they are.
  public func sampling(unitID: @escaping @Sendable () -> String? = { nil }) -> ParitySampling {
    ParitySampling(share: .all) { pair in
      self.show(
        Event(
          id: pair.old.id, time: pair.old.time, unitID: unitID(),
          old: Side(name: pair.old.name, values: pair.old.payload),
          new: Side(name: pair.new.name, values: pair.new.payload), outcome: .both))
    }
  }

  /// Sends until nothing waits.
  private func send() async {
    while true {
      try? await timeSource.sleep(Self.gathering)
      let events = state.withLock { state -> [Event] in
        let events = Array(state.waiting.prefix(Self.batch))
        state.waiting.removeFirst(events.count)
        if events.isEmpty { state.isSending = false }
        return events
      }
      if events.isEmpty { return }
      let isTaken = await post(events)
      state.withLock { state in
        if isTaken { state.statistics.shown += events.count } else { state.statistics.dropped += events.count }
      }
    }
  }

  private func post(_ events: [Event]) async -> Bool {
    let request = HTTPTransportRequest(
      method: "POST", url: url, headers: ["Content-Type": "application/json"],
      body: EventValue.object(["pairs": .array(events.map(\.json))]).canonicalJSON, timeout: Self.timeout)
    guard let answer = try? await transport.send(request) else { return false }
    return (200..<300).contains(answer.status)
  }
}

extension DebugMirror.Event {
  fileprivate var json: EventValue {
    var members: [String: EventValue] = [
      "id": .string(id.description), "time": .int(time), "unit": unitID.map { .string($0) } ?? .null,
      "old": old.map { ["name": .string($0.name), "parameters": .object($0.values)] } ?? .null,
      "new": new.map { ["name": .string($0.name), "payload": .object($0.values)] } ?? .null,
    ]
    if let outcome {
      members["decision"] = [
        "outcome": .string(outcome.rawValue), "reason": reason.map { .string($0) } ?? .null,
      ]
    }
    return .object(members)
  }
}
