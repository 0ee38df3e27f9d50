public import DualSendCore
public import Logging

/// The configuration of a tracker. The defaults suit a mobile app.
///
/// ```swift
/// let tracker = Tracker(configuration: TrackerConfiguration(endpoint: endpoint) { $0.consent = .pending })
/// ```
public struct TrackerConfiguration: Sendable {
  /// The destination of batches.
  public var destination: Destination
  /// Endpoints that the app has left, such as one with a key that was replaced. What waits for them is sent to ``destination``.
  public var formerEndpoints: [TrackingEndpoint] = []
  /// The location of pending events.
  public var storage: TrackerConfiguration.StoreLocation
  /// The limits of the store.
  public var quota = TrackerConfiguration.Quota()
  /// How events come into the store.
  public var intake = Intake()
  /// When events are sent, and how many at once.
  public var digest = Digest()
  /// The waits after failed requests.
  public var retry = Retry()
  /// Whether events may be sent, until the user decides; see `setConsent(_:)`. The decision of an earlier launch
  /// comes before it, except that `.denied` is itself a decision: it is kept until `setConsent(_:)` is called.
  public var consent = Tracker.Consent.granted
  /// The party that gets the user's consent; `nil` for the app. All trackers of the app and of its processes that name the
  /// same party share its decision, and the standard locations keep their databases in a folder of its own. Name a
  /// party before the first release of its tracker: its events move to that folder with the next one.
  public var party: String?
  /// The mutations that run before events are stored, in order. All run off the caller's thread and for every event,
  /// regardless of their ``Mutation/place`` and ``Mutation/scope``. See ``Tracker/changeMutations(_:)``.
  public var mutations: [Mutation] = []
  /// What the tracker learns from the system by itself.
  public var systemEvents = SystemEvents.all
  /// The sink id that the tracker's own mutations see.
  package var sinkID = Sink.ID.newTracker
  /// The place in the code that made the sink: its module, file and line.
  package var sinkOrigin: String?
  /// May suspend the tracker; `nil` without a breaker.
  package var hold: (any TrackerHold)?
  /// Called with every outcome, in order, on the dispatcher. Must return quickly.
  public var observer: (@Sendable (TrackingOutcome) -> Void)?
  /// The log for operators. The tracker never logs an event's values.
  public var logger = Logger(label: "dualsend.tracker")
  /// The network.
  public var transport: any HTTPTransport
  /// The clocks.
  public var time: TimeSource

  /// Creates a configuration for a collector.
  ///
  /// - Parameters:
  ///   - endpoint: the collector.
  ///   - storage: the location of pending events.
  ///   - transport: the network.
  ///   - time: the clocks.
  ///   - configure: changes any other setting.
  public init(
    endpoint: TrackingEndpoint, storage: TrackerConfiguration.StoreLocation = .applicationSupport(),
    transport: any HTTPTransport = URLSessionTransport(), time: TimeSource = .system,
    configure: (inout TrackerConfiguration) -> Void = { _ in }
  ) {
    self.init(
      destination: .collector(endpoint), storage: storage, transport: transport, time: time, configure: configure)
  }

  /// Creates a configuration for any destination.
  ///
  /// The storage has no default here, because two trackers of an app must not share a store.
  public init(
    destination: Destination, storage: TrackerConfiguration.StoreLocation,
    transport: any HTTPTransport = URLSessionTransport(), time: TimeSource = .system,
    configure: (inout TrackerConfiguration) -> Void = { _ in }
  ) {
    self.destination = destination
    self.storage = storage
    self.transport = transport
    self.time = time
    configure(&self)
  }
}

extension TrackerConfiguration {
  /// How events come into the store.
  public struct Intake: Sendable, Hashable {
    /// The shortest interval between two commits, so that events in quick succession share a transaction; also the
    /// longest time that an event stays in memory. After a quiet period an event is committed at once. 0 always commits
    /// at once. A crash can lose the events of this interval: see ``Tracker/persist()``.
    public var commitDelay = Duration.milliseconds(50)
    /// The most events in memory that are not stored yet. Beyond this, the newest event is dropped and counted.
    public var capacity = 10_000
    /// The largest wire form of one event, in bytes. A larger event is dropped and counted.
    public var maximumEventBytes = 64 << 10

    /// Creates settings with the defaults.
    public init() {}
  }

  /// The waits after failed requests.
  public struct Retry: Sendable {
    /// The waits after requests that may succeed later.
    public var backoff = RetryBackoff.fullJitter
    /// How long delivery pauses after a response that a retry does not cure.
    public var pauseAfterRefusal = Duration.seconds(3600)
    /// Returns random numbers in 0…1 for jitter.
    public var randomFraction: @Sendable () -> Double = { Double.random(in: 0...1) }

    /// Creates settings with the defaults.
    public init() {}
  }
}

extension Tracker {
  /// Whether the user has consented to tracking.
  public enum Consent: Sendable, Hashable {
    /// Not asked yet. Events are stored and not sent.
    case pending
    /// Events are sent.
    case granted
    /// Pending events and dead letters are deleted and new events dropped; both are counted.
    case denied

    /// Reads the number that a database of an earlier version keeps.
    init?(number: Int64) {
      switch number {
      case 0: self = .pending
      case 1: self = .granted
      case 2: self = .denied
      default: return nil
      }
    }
  }
}

extension TrackerConfiguration {
  /// The destination of a tracker's batches.
  public enum Destination: Sendable {
    /// To a collector, over HTTP.
    case collector(TrackingEndpoint)
    /// To a receiver in this process, with a timeout for each batch.
    case receiver(any EventReceiver, timeout: Duration = .seconds(30))
  }

  func client(for destination: Destination) -> any BatchClient {
    switch destination {
    case .collector(let endpoint): TrackingNetworkClient(endpoint: endpoint, transport: transport, time: time)
    case .receiver(let receiver, let timeout): ReceiverClient(receiver: receiver, timeout: timeout, time: time)
    }
  }
}

extension TrackerConfiguration {
  /// When pending events are sent, and how many at once.
  public struct Digest: Sendable, Hashable {
    /// When sending starts. It continues until no event is pending.
    public var start: FlowControl
    /// The most events in one request.
    public var batchEvents: Int
    /// The most bytes in one request, before compression. A larger event is sent alone.
    public var batchBytes: Int

    /// Creates a digest. By default it starts at 50 events or after 5 s, with at most 500 events or 256 KiB in a
    /// request.
    public init(
      start: FlowControl = .count(50).or(.interval(.seconds(5))), batchEvents: Int = 500, batchBytes: Int = 256 << 10
    ) {
      self.start = start
      self.batchEvents = batchEvents
      self.batchBytes = batchBytes
    }
  }
}

// MARK: - Flow control

extension TrackerConfiguration {
  /// When delivery starts: by the number of pending events, their size, and the age of the oldest.
  ///
  /// ```swift
  /// .count(50).or(.interval(.seconds(5)))      // whichever comes first: the default
  /// .count(20).and(.interval(.seconds(60)))    // not before a minute, and not fewer than 20
  /// .onDemand                                  // by `flush()` and urgent events alone
  /// ```
  ///
  /// Once started, delivery continues until no event is pending. Times are measured by the tracker's `TimeSource`. A
  /// timer is set for the exact time; there is no polling.
  public struct FlowControl: Sendable, Hashable {
    /// Limits that must all be reached.
    private struct Condition: Sendable, Hashable {
      var events = 1
      var bytes = 0
      var interval = Duration.zero

      /// Whether every limit is at most that of the other.
      func isImplied(by other: Condition) -> Bool {
        events <= other.events && bytes <= other.bytes && interval <= other.interval
      }

      func and(_ other: Condition) -> Condition {
        Condition(
          events: max(events, other.events), bytes: max(bytes, other.bytes), interval: max(interval, other.interval))
      }
    }

    /// One of them must hold. Sorted and minimal, so that equivalent rules are equal.
    private let alternatives: [Condition]

    private init(_ conditions: [Condition]) {
      var kept: [Condition] = []
      for condition in conditions where !kept.contains(where: { $0.isImplied(by: condition) }) {
        kept.removeAll { condition.isImplied(by: $0) }
        kept.append(condition)
      }
      alternatives = kept.inOrder { ($0.events, $0.bytes, $0.interval) < ($1.events, $1.bytes, $1.interval) }
    }

    /// As soon as an event is stored.
    public static let immediately = FlowControl([Condition()])
    /// Only with ``Tracker/flush(timeout:)``, or when an urgent event is logged.
    public static let onDemand = FlowControl([])

    /// When this many events are pending, at least 1.
    public static func count(_ events: Int) -> FlowControl {
      FlowControl([Condition(events: max(1, events))])
    }

    /// When the oldest event has waited this long.
    public static func interval(_ interval: Duration) -> FlowControl {
      FlowControl([Condition(interval: max(.zero, interval))])
    }

    /// When this many bytes are pending, in wire form.
    public static func size(bytes: Int) -> FlowControl {
      FlowControl([Condition(bytes: max(0, bytes))])
    }

    /// When either rule holds.
    public func or(_ other: FlowControl) -> FlowControl {
      FlowControl(alternatives + other.alternatives)
    }

    /// When both rules hold.
    public func and(_ other: FlowControl) -> FlowControl {
      FlowControl(alternatives.flatMap { mine in other.alternatives.map { mine.and($0) } })
    }
  }
}

extension TrackerConfiguration.FlowControl {
  /// Whether the rule depends on the pending bytes.
  var asksForBytes: Bool { alternatives.contains { $0.bytes > 0 } }

  /// The longest interval. Events of an earlier launch count as having waited that long.
  var longestInterval: Duration { alternatives.map(\.interval).max() ?? .zero }

  /// When the rule will hold if no more events arrive; `nil` if it will not. All times are uptimes.
  func moment(events: Int, bytes: Int, waitingSince: Duration) -> Duration? {
    alternatives.lazy.filter { events >= $0.events && bytes >= $0.bytes }.map { waitingSince + $0.interval }.min()
  }
}

extension TrackerConfiguration.FlowControl: CustomStringConvertible {
  /// The rule as text.
  public var description: String {
    if alternatives.isEmpty { return "on demand" }
    return alternatives.map { condition in
      var parts: [String] = []
      if condition.events > 1 { parts.append("\(condition.events) events") }
      if condition.bytes > 0 { parts.append("\(condition.bytes) bytes") }
      if condition.interval > .zero { parts.append("after \(condition.interval)") }
      return parts.isEmpty ? "at once" : parts.joined(separator: " and ")
    }.joined(separator: ", or ")
  }
}
