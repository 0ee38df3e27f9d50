public import DualSendCore
public import Logging

/// Everything about a tracker that an app may want otherwise. The defaults suit a mobile app.
public struct TrackerConfiguration: Sendable {
  /// Where batches go.
  public var destination: Destination
  /// Where events wait.
  public var storage: TrackerConfiguration.StoreLocation
  /// How much may wait.
  public var quota: TrackerConfiguration.Quota
  /// When and how much is sent.
  public var digest: Digest
  /// How long to wait after a failed request.
  public var backoff: RetryBackoff
  /// How long delivery pauses by itself after an answer that trying again does not cure.
  public var pauseAfterRefusal: Duration
  /// How far apart two commits are, so that events that come close together share a transaction and a wake-up, and so the
  /// longest that an event waits in memory; one after a quiet time does not wait. 0 commits at once. What a crash can lose
  /// is what came in this window: see ``Tracker/persist()``.
  public var commitDelay: Duration
  /// The most events that wait in memory before they are stored; the newest is dropped and counted beyond.
  public var inboxCapacity: Int
  /// The longest wire form of one event, in bytes; a longer one is dropped and counted.
  public var maximumEventBytes: Int
  /// Whether events may be sent.
  public var consent: Tracker.Consent
  /// What changes or drops events before they are stored, in order. All of them run off the caller's thread, whatever
  /// their ``Mutation/place``, and for every event, whatever their ``Mutation/scope``. See ``Tracker/changeMutations(_:)``.
  public var mutations: [Mutation]
  /// What the tracker's own mutations know it by.
  package var sinkID = Sink.ID.newTracker
  /// What a breaker does not let the tracker do from the start.
  package var suspension = TrackerSuspension.none
  /// Hears how the tracker fares, on the dispatcher; `nil` without a breaker.
  package var healthObserver: (@Sendable (TrackerSign) -> Void)?
  /// Hears everything that happens, in order, on the dispatcher; it must return quickly.
  public var observer: (@Sendable (TrackingOutcome) -> Void)?
  /// Where the tracker writes what an operator should know; it never writes an event's values.
  public var logger: Logger
  /// The network.
  public var transport: any HTTPTransport
  /// The clocks.
  public var time: TimeSource
  /// Random numbers in 0…1 for the jitter of waits.
  public var randomFraction: @Sendable () -> Double

  /// Creates a configuration for a collector, with the defaults of each part.
  public init(
    endpoint: TrackingEndpoint, storage: TrackerConfiguration.StoreLocation = .applicationSupport(),
    quota: TrackerConfiguration.Quota = TrackerConfiguration.Quota(),
    digest: Digest = Digest(), backoff: RetryBackoff = .fullJitter, pauseAfterRefusal: Duration = .seconds(3600),
    commitDelay: Duration = .milliseconds(50), inboxCapacity: Int = 10_000, maximumEventBytes: Int = 64 << 10,
    consent: Tracker.Consent = .granted,
    mutations: [Mutation] = [],
    observer: (@Sendable (TrackingOutcome) -> Void)? = nil,
    logger: Logger = Logger(label: "dualsend.tracker"), transport: any HTTPTransport = URLSessionTransport(),
    time: TimeSource = .system,
    randomFraction: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.init(
      destination: .collector(endpoint), storage: storage, quota: quota, digest: digest, backoff: backoff,
      pauseAfterRefusal: pauseAfterRefusal, commitDelay: commitDelay, inboxCapacity: inboxCapacity,
      maximumEventBytes: maximumEventBytes,
      consent: consent, mutations: mutations, observer: observer, logger: logger, transport: transport, time: time,
      randomFraction: randomFraction)
  }

  /// Creates a configuration for any destination.
  ///
  /// The storage has no default here, because two trackers of one app must not share a store.
  public init(
    destination: Destination, storage: TrackerConfiguration.StoreLocation,
    quota: TrackerConfiguration.Quota = TrackerConfiguration.Quota(),
    digest: Digest = Digest(), backoff: RetryBackoff = .fullJitter, pauseAfterRefusal: Duration = .seconds(3600),
    commitDelay: Duration = .milliseconds(50), inboxCapacity: Int = 10_000, maximumEventBytes: Int = 64 << 10,
    consent: Tracker.Consent = .granted,
    mutations: [Mutation] = [],
    observer: (@Sendable (TrackingOutcome) -> Void)? = nil,
    logger: Logger = Logger(label: "dualsend.tracker"), transport: any HTTPTransport = URLSessionTransport(),
    time: TimeSource = .system,
    randomFraction: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.destination = destination
    self.storage = storage
    self.quota = quota
    self.digest = digest
    self.backoff = backoff
    self.pauseAfterRefusal = pauseAfterRefusal
    self.commitDelay = commitDelay
    self.inboxCapacity = inboxCapacity
    self.maximumEventBytes = maximumEventBytes
    self.consent = consent
    self.mutations = mutations
    self.observer = observer
    self.logger = logger
    self.transport = transport
    self.time = time
    self.randomFraction = randomFraction
  }
}

extension Tracker {
  /// Whether the user agreed to be tracked.
  public enum Consent: Sendable, Hashable {
    /// Not asked yet: events are held on disk.
    case pending
    /// Events are sent.
    case granted
    /// What waits is deleted, and new events are dropped; both are counted.
    case denied
  }
}
