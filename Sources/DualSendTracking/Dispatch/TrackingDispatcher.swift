import Dispatch
import DualSendCore
import Foundation

/// The serial writer of a tracker: moves events from the inbox to the store, and from the store to the network.
///
/// Its state is in the values it owns; the actor calls them in order. This file opens the store and moves events into it;
/// `+Delivery` moves them to the network; `+Control` is what callers ask for (flush, consent, pause, purge, shutdown).
actor TrackingDispatcher {
  nonisolated let executor = DispatchQueueExecutor(label: "DualSend.dispatcher")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let configuration: TrackerConfiguration
  nonisolated let outcomes: OutcomeBroadcaster

  var intake: Intake
  var storeState = StoreState.notOpen
  /// May suspend the dispatcher.
  var hold: (any TrackerHold)?
  /// What the dispatcher may not do while a breaker is open.
  var suspension: TrackerSuspension
  var health = StoreHealth()
  var queue = DeliveryQueue()
  var gate: DeliveryGate
  var client: any BatchClient
  var counts = RequestCounts()
  var rejections = Rejections()
  var waiters = FlushWaiters()
  /// Whether the store has a server's `Retry-After`.
  var keepsRetryAfter = false
  /// Counts what a request under way must notice before the next one is sent: withdrawn consent, a purge, a pause, another
  /// endpoint, a shutdown.
  nonisolated let withdrawals = Locked(0)
  /// The user's decision.
  nonisolated let consent: ConsentNote
  /// Why everything must be deleted that is stored, while the store has failed to.
  var owedDeletion: DropReason?
  /// Counts the endpoints. An answer counts only for the endpoint that its request was sent to.
  var endpointGeneration = 0
  /// Where the events of the store are to be sent.
  var destination: StoreDestination
  /// The stores in memory of former endpoints.
  var parked: [StoreDestination: any TrackingDataStore] = [:]

  /// Why the store is in memory, although the configuration asks for a file.
  private(set) var memoryReason: TrackingStoreError?
  /// When the folder is tried again, although no caller waits for it.
  private var nextFolderAttempt = Duration.zero

  private var timer = WakeUpTimer()
  /// Until this uptime, events are collected for one transaction, unless a caller needs them on disk.
  private var windowEnd = Duration.zero
  /// Whether a job waits for the end of the window.
  private var isInWindow = false
  /// The digest loop, while it runs.
  private(set) var digestTask: Task<Void, Never>?
  private var isShutDown = false
  /// How many purges are committing the events that they will delete. Nothing is sent meanwhile.
  var purges = 0

  init(configuration: TrackerConfiguration, inbox: Inbox) {
    self.configuration = configuration
    hold = configuration.hold
    suspension = configuration.hold?.suspension ?? .none
    outcomes = OutcomeBroadcaster(
      observer: configuration.observer, logger: configuration.logger, time: configuration.time)
    intake = Intake(inbox: inbox, configuration: configuration, outcomes: outcomes)
    client = configuration.client(for: configuration.destination)
    destination = configuration.destinationOfStore
    consent = ConsentNote(
      home: configuration.storage.consentHome(of: configuration.party), configured: configuration.consent, inbox: inbox)
    gate = DeliveryGate(backoff: configuration.retry.backoff, consent: configuration.consent)
    gate.isHeldByBreaker = suspension != .none
    if case .collector(let endpoint) = configuration.destination { tell(endpoint) }
  }

  /// Names the endpoint in log lines, without its query and credentials.
  nonisolated func tell(_ endpoint: TrackingEndpoint) {
    guard var parts = URLComponents(url: endpoint.url, resolvingAgainstBaseURL: true) else { return }
    (parts.user, parts.password, parts.query) = (nil, nil, nil)
    let text = parts.string ?? ""
    outcomes.address.withLock { $0 = text }
  }

  deinit {
    timer.stop()
  }

  var now: Duration { configuration.time.uptime() }

  /// Opens the store, then commits what the signals announce until they end: when the tracker is shut down or released.
  func start(_ signal: InboxSignal) {
    followConsent()
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
    windowEnd = now + configuration.intake.commitDelay
  }

  // MARK: The digest loop's task

  /// Whether the loop may start: not if it is running, not during a purge, and not after shutdown.
  var mayStartDigest: Bool { digestTask == nil && purges == 0 && !isShutDown }

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
    withdraw()
    stopTimer()
    digestTask?.cancel()
    await digestTask?.value
  }

  /// Lets no further request of the batch in flight start.
  nonisolated func withdraw() {
    withdrawals.withLock { $0 += 1 }
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

// MARK: - Inbox → store

extension TrackingDispatcher {
  /// Commits the events that were logged before a mark, which is by default this moment.
  func commitPending(before mark: Int? = nil) async {
    if intake.hasUncommitted || intake.hasMore { beginWindow() }
    if memoryReason != nil, now >= nextFolderAttempt { leaveMemory() }
    let mark = mark ?? intake.mark
    // Delivery starts with the first chunk, in parallel with the commit of the next ones.
    while commitChunk(before: mark) {
      startDigestIfDue()
      await Task.yield()
    }
    startDigestIfDue()
  }

  /// Commits at most one chunk, without suspending, so that two callers cannot overtake each other.
  ///
  /// - Returns: whether more events must be committed and the store accepts them.
  private func commitChunk(before mark: Int) -> Bool {
    followConsent()
    while !intake.stageChunk() { deleteEverything(.consentDenied) }
    commit()
    // After a damaged database is replaced, another call commits the staged events to the new one.
    let isUncommitted = storeState.store != nil && !intake.staged.isEmpty
    return health.failure == nil && (isUncommitted || intake.uncommitted(before: mark) > 0 && canCommit)
  }

  /// Whether the store takes events, or they are only counted.
  private var canCommit: Bool { storeState.store != nil || !intake.hasUncommitted && intake.hasMore }

  /// Commits the staged events in as few transactions as possible. Events that the store does not accept stay staged.
  func commit() {
    do {
      while intake.hasUncommitted, let store = openStore(), hasDeleted() {
        let events = intake.nextTransaction
        let evicted = try store.append(events, dropped: intake.drops, inFlight: queue.inFlight)
        queue.stored(events.count, evicted: evicted.values.reduce(0, +), at: now)
        if !evicted.isEmpty, rejections.count > 0 { rejections.eventsWereRemoved() }
        if intake.isUrgent { queue.markUrgent() }
        outcomes.stored(events)
        for (reason, count) in evicted.inOrder(by: { $0.key < $1.key }) {
          outcomes.emit(.dropped(reason, count: count))
        }
        intake.committed(events.count)
        storeWorks()
      }
    } catch {
      storeFailed(error)
    }
  }
}

// MARK: - Opening the store, and recovery from its failures

extension TrackingDispatcher {
  /// The note that keeps a server's `Retry-After` across a restart, in milliseconds since 1970.
  static let retryAfterNote = "delivery.notBefore"
  /// The note of the user's decision in a database of an earlier version.
  static let consentNote = "consent"
  /// The notes of the length of that wait, and of the uptime when it was saved, in milliseconds.
  private static let (askedNote, askedAtNote) = ("delivery.retryAfter", "delivery.retryAfterAt")
  /// The note of the destination that asked.
  private static let askerNote = "delivery.retryAfterOf"

  /// The store. Opens it if necessary, and continues with the state of an earlier launch.
  @discardableResult
  func openStore() -> (any TrackingDataStore)? {
    guard case .notOpen = storeState, suspension != .everything else { return storeState.store }
    do {
      let opened = try openLocation()
      let ledger = try opened.ledger()
      try rejections.restore(from: opened)
      try takeOverConsent(from: opened)
      adopt(opened, ledger, retryAfter: try keptRetryAfter(in: opened))
      storeWorks()
      // What an earlier launch left must not outlive the denial.
      if gate.consent == .denied { deleteEverything(.consentDenied) }
      if opened.foundDamage { outcomes.emit(.databaseSetAside) }
      return opened
    } catch {
      storeFailed(error)
      return storeState.store
    }
  }

  private func openLocation() throws(TrackingStoreError) -> any TrackingDataStore {
    if let store = parked.removeValue(forKey: destination) { return store }
    do {
      return try openConfigured()
    } catch {
      guard error.kind == .unusableFolder else { throw error }
      // Waiting for the folder would lose events. It is tried again later.
      if memoryReason == nil { outcomes.emit(.storeFailed(error)) }
      memoryReason = error
      nextFolderAttempt = now + Self.folderPause
      return try TrackerConfiguration.StoreLocation.memory.open(quota: configuration.quota, time: configuration.time)
    }
  }

  private static let folderPause = Duration.seconds(60)

  private func openConfigured() throws(TrackingStoreError) -> any TrackingDataStore {
    try configuration.storage.open(
      quota: configuration.quota, time: configuration.time, for: destination, party: configuration.party,
      former: configuration.formerEndpoints.map(\.destination))
  }

  /// Moves the events from memory to the database, if its folder can be written now.
  func leaveMemory() {
    guard memoryReason != nil, queue.inFlight == nil, let memory = storeState.store as? SQLiteTrackingDataStore
    else { return }
    nextFolderAttempt = now + Self.folderPause
    guard let opened = try? openConfigured() as? SQLiteTrackingDataStore else { return }
    do {
      try opened.takeOver(memory)
      let ledger = try opened.ledger()
      queue.storeLost()
      try rejections.restore(from: opened)
      adopt(opened, ledger, retryAfter: nil)
      memoryReason = nil
      memory.close()
    } catch {
      opened.close()
    }
  }

  /// Closes the store and opens that of another destination.
  func openStore(of other: StoreDestination) {
    // What a failing store did not take must not go to the other destination.
    let lost = intake.discardStaged(.storeUnavailable)
    if lost > 0 { outcomes.emit(.dropped(.storeUnavailable, count: lost)) }
    if let store = storeState.store {
      if (store as? SQLiteTrackingDataStore)?.file == nil { parked[destination] = store } else { store.close() }
    }
    queue = DeliveryQueue()
    rejections = Rejections()
    storeState = .notOpen
    memoryReason = nil
    destination = other
    openStore()
  }

  /// The store; `nil` after it was closed.
  ///
  /// - Throws: why it cannot be opened.
  func requireStore() throws(TrackingStoreError) -> (any TrackingDataStore)? {
    if let store = openStore() { return store }
    if case .notOpen = storeState, let failure = health.failure { throw failure }
    return nil
  }

  private func adopt(_ opened: any TrackingDataStore, _ ledger: TrackingLedger, retryAfter: Duration?) {
    storeState = .open(opened)
    // Events of an earlier launch have waited long enough.
    queue.opened(holding: ledger.pending, waitingSince: now - configuration.digest.start.longestInterval)
    keepsRetryAfter = retryAfter != nil
    guard let retryAfter else { return }
    gate.serverAsks(until: now + retryAfter)
    // Saved again, so that later launches do not repeat the full wait when no clock can be trusted.
    try? keep(retryAfter, in: opened)
  }

  /// Saves a server's `Retry-After` for later launches.
  func keep(_ retryAfter: Duration, in store: any TrackingDataStore) throws(TrackingStoreError) {
    try store.setNote(Self.retryAfterNote, configuration.time.wallMilliseconds() + retryAfter.inMilliseconds)
    try store.setNote(Self.askedNote, retryAfter.inMilliseconds)
    try store.setNote(Self.askedAtNote, now.inMilliseconds)
    try store.setNote(Self.askerNote, destination.number)
    keepsRetryAfter = true
  }

  /// Forgets a server's `Retry-After`: a request has succeeded since, or the endpoint is another one.
  func forgetRetryAfter() {
    guard keepsRetryAfter, let store = storeState.store else { return }
    do {
      try store.setNote(Self.retryAfterNote, nil)
      keepsRetryAfter = false
    } catch {
      storeFailed(error)
    }
  }

  /// The rest of a server's `Retry-After`; `nil` if it is over.
  ///
  /// Measured by the uptime, which users cannot set; after a reboot by the wall clock. Never longer than the server
  /// asked for.
  private func keptRetryAfter(in store: any TrackingDataStore) throws(TrackingStoreError) -> Duration? {
    guard let notBefore = try store.note(Self.retryAfterNote),
      try store.note(Self.askerNote) ?? destination.number == destination.number
    else { return nil }
    let cap = RetryAfter.cap.inMilliseconds
    let asked = min(max(try store.note(Self.askedNote) ?? cap, 0), cap)
    let uptime = now.inMilliseconds
    if let askedAt = try store.note(Self.askedAtNote), (0...uptime).contains(askedAt) {
      let left = asked - (uptime - askedAt)
      return left > 0 ? .milliseconds(left) : nil
    }
    let (left, overflow) = notBefore.subtractingReportingOverflow(configuration.time.wallMilliseconds())
    return left > 0 && !overflow ? .milliseconds(min(left, asked)) : nil
  }

  /// Notes that the store worked.
  func storeWorks() {
    health.succeeded()
    notifyHold(.storeWorks)
  }

  /// Keeps events in memory and schedules another attempt. Replaces only a damaged database.
  func storeFailed(_ error: TrackingStoreError) {
    // Events that are logged before the wait is over are tried again, but no further file is set aside for them.
    let isTooEarly = health.failure?.kind == .damaged
    health.failed(error)
    notifyHold(.storeFails(error))
    outcomes.emit(.storeFailed(error))
    if error.kind == .damaged, !isTooEarly { replaceDamagedStore() }
    if let delay = health.retryDelay { setTimer(due: now + delay) }
  }

  private func replaceDamagedStore() {
    guard let damaged = storeState.store else { return }
    queue.storeLost()
    do {
      let fresh = try configuration.storage.replace(damaged: damaged)
      rejections = Rejections()
      adopt(fresh, try fresh.ledger(), retryAfter: nil)
      // After a second failure in a row, wait for the timer: a disk that damages everything must not be filled with
      // files that were set aside.
      if health.isFirstFailure { health.tryAgain() }
      outcomes.emit(.databaseSetAside)
    } catch {
      storeState = .notOpen
      health.replacementFailed(error)
    }
  }
}

// MARK: - The timer

/// The dispatcher's one timer.
private struct WakeUpTimer: Sendable {
  private var pending: (due: Duration, task: Task<Void, Never>)?

  /// Sets the timer to this uptime, unless it fires earlier already.
  ///
  /// - Parameter fire: called with `due` at that time. It calls ``hasFired(due:)`` to check that the timer was not
  ///   changed.
  mutating func set(due: Duration, time: TimeSource, fire: @escaping @Sendable (Duration) async -> Void) {
    let now = time.uptime()
    if let pending, pending.due <= due, pending.due > now { return }
    stop()
    let wait = max(.zero, due - now)
    let task = Task {
      guard (try? await time.sleep(wait)) != nil else { return }
      await fire(due)
    }
    pending = (due, task)
  }

  mutating func stop() {
    pending?.task.cancel()
    pending = nil
  }

  /// Records that the timer has fired.
  ///
  /// - Returns: whether it was still set to this time.
  mutating func hasFired(due: Duration) -> Bool {
    guard pending?.due == due else { return false }
    pending = nil
    return true
  }
}
