import DualSendCore

/// The one ordered writer behind a tracker: it empties the inbox into the store and the store into the network.
///
/// What it knows is kept by the values it owns, each of which guards its own state; the actor puts their work in
/// sequence. The steps stand in extensions: `+Intake` (inbox → store), `+Store` (opening and replacing it), `+Digest`
/// (store → network), `+Rejection` (events that are refused), `+Flush` (callers who wait) and `+Control` (consent, pause, purge, shutdown).
actor TrackingDispatcher {
  nonisolated let executor = DispatchQueueExecutor(label: "DualSend.dispatcher")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let configuration: TrackerConfiguration
  nonisolated let outcomes: OutcomeBroadcaster

  var intake: Intake
  var hold = StoreHold.notOpen
  /// What an open breaker does not let it do.
  var suspension: TrackerSuspension
  var health = StoreHealth()
  var queue = DeliveryQueue()
  var gate: DeliveryGate
  var client: any BatchClient
  var counts = RequestCounts()
  var streak: RejectionStreak
  var waiters = FlushWaiters()

  private var timer = WakeUpTimer()
  /// Until this uptime events gather for one transaction, unless somebody wants them on disk at once …
  private var windowEnd = Duration.zero
  /// … and then this commits them.
  private var commitTimer = WakeUpTimer()
  /// The digest loop, while it runs.
  private(set) var digestTask: Task<Void, Never>?
  private var isShutDown = false

  init(configuration: TrackerConfiguration, inbox: Inbox) {
    self.configuration = configuration
    suspension = configuration.suspension
    outcomes = OutcomeBroadcaster(observer: configuration.observer, logger: configuration.logger)
    intake = Intake(inbox: inbox, configuration: configuration, outcomes: outcomes)
    client = configuration.client(for: configuration.destination)
    streak = RejectionStreak(keptDeadLetters: configuration.quota.deadLetters)
    gate = DeliveryGate(backoff: configuration.backoff, consent: configuration.consent)
    gate.isHeldByBreaker = suspension != .none
  }

  deinit {
    timer.stop()
    commitTimer.stop()
  }

  var now: Duration { configuration.time.uptime() }

  /// Opens the store, then works until the signals end: when the tracker is shut down or released.
  func run(_ signals: AsyncStream<Void>) async {
    openStore()?.rest()
    considerDigest()
    for await _ in signals { await eventsCame() }
    await takeIn()
    stopTimer()
  }

  /// Commits what came: at once after a quiet time, else at the end of the window that the last commit began.
  private func eventsCame() async {
    guard now < windowEnd, intake.hasMore, !intake.isPressing else { return await takeIn() }
    commitTimer.set(due: windowEnd, time: configuration.time) { [weak self] in await self?.windowEnded(due: $0) }
  }

  private func windowEnded(due: Duration) async {
    if commitTimer.hasFired(due: due) { await takeIn() }
  }

  /// What waits is committed now, and what comes next gathers.
  func beginWindow() {
    commitTimer.stop()
    windowEnd = now + configuration.commitDelay
  }

  // MARK: The digest loop's task

  /// Whether the loop may be started: not twice, and not after the shutdown.
  var mayStartDigest: Bool { digestTask == nil && !isShutDown }

  func startDigest() {
    digestTask = Task { await digest() }
  }

  /// The loop's last act, after which another one may start.
  func digestEnded() {
    digestTask = nil
  }

  /// Ends the loop and the timer for good; returns once the request under way is over.
  func stopDigest() async {
    isShutDown = true
    stopTimer()
    digestTask?.cancel()
    await digestTask?.value
  }

  // MARK: The timer

  /// Makes the timer fire at this moment, or earlier if it is set so already.
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
    await takeIn()
  }
}
