public import DualSend
public import DualSendCore
import Logging

public import struct Foundation.URL

/// Sends an app's events to `dualsend console` during development: each event appears on the page within a second, old
/// and new next to each other.
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
/// Part of `DualSendTesting`, which release builds do not link, because the requests are not encrypted. Never waits and
/// never throws. Events are kept in memory up to a limit; if the console is too slow or not running, the oldest are
/// dropped.
public final class DebugMirror: Sendable {
  /// An event for the console.
  public struct Event: Sendable, Hashable {
    /// The id of both sides.
    public let id: EventID
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let time: Int64
    /// The unit; `nil` if unknown.
    public let unitID: String?
    /// The event that the old logger got; `nil` if it got none.
    public let old: Side?
    /// The event that the new tracker got; `nil` if it got none.
    public let new: Side?
    /// The sinks that the rollout selected; `nil` to let the console decide.
    public let outcome: SinkDecision.Outcome?
    /// The reason of the decision.
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

  /// The number of events shown and dropped.
  public struct Statistics: Sendable, Hashable {
    /// Events that the console accepted.
    public internal(set) var shown = 0
    /// Dropped events: the console did not accept them, or there were too many.
    public internal(set) var dropped = 0

    /// Creates counts for comparison.
    public init(shown: Int = 0, dropped: Int = 0) {
      (self.shown, self.dropped) = (shown, dropped)
    }
  }

  private struct State: Sendable {
    var waiting: [Event] = []
    var isSending = false
    var statistics = Statistics()
  }

  /// How long events are collected before a request, so that a tap that logs ten events makes one request.
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
  ///   - console: the URL that `dualsend console` prints. The console listens only on the loopback interface; another
  ///     device needs a forwarded port.
  ///   - capacity: the most pending events.
  ///   - transport: the transport to the console.
  ///   - time: the clocks.
  public init(
    console: URL, capacity: Int = 1000, transport: any HTTPTransport = URLSessionTransport(),
    time: TimeSource = .system
  ) {
    url = console.appendingPathComponent("mirror")
    self.capacity = max(1, capacity)
    self.transport = transport
    timeSource = time
    #if !DEBUG
      Logger(label: "dualsend.mirror").critical(
        "a debug mirror is in a release build, and sends every event unencrypted: link `DualSendTesting` in debug builds alone"
      )
    #endif
  }

  /// The number of events shown and dropped.
  public var statistics: Statistics { state.current.statistics }

  /// Shows an event. Returns at once. Safe to call on any thread.
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

  /// A sampling for `DualSendTracker` that shows every pair. It does not include events that go to only one side; use
  /// ``show(_:)`` for those.
  ///
  /// - Parameter unitID: returns the unit of the events.
  public func sampling(unitID: @escaping @Sendable () -> String? = { nil }) -> ParitySampling {
    ParitySampling(share: .all) { pair in
      self.show(
        Event(
          id: pair.old.id, time: pair.old.time, unitID: unitID(),
          old: Side(name: pair.old.name, values: pair.old.payload),
          new: Side(name: pair.new.name, values: pair.new.payload), outcome: .both))
    }
  }

  /// Sends until no event is pending.
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
