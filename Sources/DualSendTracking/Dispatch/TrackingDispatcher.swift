import Dispatch
import DualSendCore

/// The serial writer of a tracker: moves events from the inbox to the store, and from the store to the network.
///
/// Its state is in the values it owns; the actor calls them in order. The extensions hold the steps: `+Intake` (inbox →
/// store), `+Store` (opening and replacing the store), `+Digest` (store → network), `+Rejection` (refused events),
/// `+Flush` (waiting callers) and `+Control` (consent, pause, purge, shutdown).
actor TrackingDispatcher {
  nonisolated let executor = DispatchQueueExecutor(label: "DualSend.dispatcher")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let configuration: TrackerConfiguration
  nonisolated let outcomes: OutcomeBroadcaster

  var intake: Intake
  var storeState = StoreState.notOpen
  /// What the dispatcher may not do while a breaker is open.
  var suspension: TrackerSuspension
  var health = StoreHealth()
  var queue = DeliveryQueue()
  var gate: DeliveryGate
  var client: any BatchClient
  var counts = RequestCounts()
  var rejections: ConsecutiveRejections
  var waiters = FlushWaiters()

  private var timer = WakeUpTimer()
  /// Until this uptime, events are collected for one transaction, unless a caller needs them on disk.
  private var windowEnd = Duration.zero
  /// Whether a job waits for the end of the window.
  private var isInWindow = false
  /// The digest loop, while it runs.
  private(set) var digestTask: Task<Void, Never>?
  private var isShutDown = false

  init(configuration: TrackerConfiguration, inbox: Inbox) {
    self.configuration = configuration
    suspension = configuration.hold?.suspension ?? .none
    outcomes = OutcomeBroadcaster(observer: configuration.observer, logger: configuration.logger)
    intake = Intake(inbox: inbox, configuration: configuration, outcomes: outcomes)
    client = configuration.client(for: configuration.destination)
    rejections = ConsecutiveRejections(keptDeadLetters: configuration.quota.deadLetters)
    gate = DeliveryGate(backoff: configuration.backoff, consent: configuration.consent)
    gate.isHeldByBreaker = suspension != .none
  }

  deinit {
    timer.stop()
  }

  var now: Duration { configuration.time.uptime() }

  /// Opens the store, then commits what the signals announce until they end: when the tracker is shut down or released.
  func start(_ signal: InboxSignal) {
    openStore()?.reclaimSpace()
    startDigestIfDue()
    signal.connect {
      await self.eventsArrived()
    } ended: {
      await self.commitPending()
      self.stopTimer()
    }
  }

  /// Commits new events: at once after a quiet period, otherwise at the end of the current window.
  private func eventsArrived() async {
    // This job has ended the other's rest, so that it checks the conditions again.
    guard !isInWindow else { return }
    isInWindow = true
    while now < windowEnd, intake.hasMore, !intake.shouldCommitNow {
      executor.rest(until: windowEnd, by: configuration.time)
      // Runs the jobs that ended the rest.
      if now < windowEnd { await Task.yield() }
    }
    isInWindow = false
    await commitPending()
  }

  /// Starts a window: the pending events are committed now, and later ones are collected.
  func beginWindow() {
    windowEnd = now + configuration.commitDelay
  }

  // MARK: The digest loop's task

  /// Whether the loop may start: not if it is running, and not after shutdown.
  var mayStartDigest: Bool { digestTask == nil && !isShutDown }

  func startDigest() {
    digestTask = Task { await digest() }
  }

  /// The loop calls this last; another one may start after it.
  func digestEnded() {
    digestTask = nil
  }

  /// Stops the loop and the timer. Returns when the request in flight is over.
  func stopDigest() async {
    isShutDown = true
    stopTimer()
    digestTask?.cancel()
    await digestTask?.value
  }

  // MARK: The timer

  /// Sets the timer to this uptime, unless it fires earlier already.
  func setTimer(due: Duration) {
    guard !isShutDown else { return }
    timer.set(due: due, time: configuration.time) { [weak self] in await self?.timerFired(due: $0) }
  }

  func stopTimer() {
    timer.stop()
  }

  private func timerFired(due: Duration) async {
    guard timer.hasFired(due: due) else { return }
    health.tryAgain()
    await commitPending()
  }
}

/// The number of requests since the tracker was created.
struct RequestCounts {
  private(set) var requests = 0
  /// Failed requests that were, or will be, sent again.
  private(set) var retries = 0

  mutating func sent() { requests += 1 }

  mutating func failed() { retries += 1 }
}
