import DualSendCore

/// Consent, pause, purge, dead letters, shutdown and statistics.
extension TrackingDispatcher {
  /// The ledger, including events in memory.
  var ledger: TrackingLedger {
    var ledger = storeState.ledger
    intake.count(into: &ledger)
    return ledger
  }

  /// Opens no store: what it holds is known as soon as ``start(_:)`` has opened it.
  var statistics: Tracker.Statistics {
    let delivery: Tracker.Statistics.Delivery =
      switch gate.obstacle(at: now) {
      case _ where queue.inFlight != nil: .sending
      case nil where queue.isEmpty && rejections.restsUntil != nil: .paused(.everythingRejected(rejections.reason))
      case nil: .idle
      case .consent: .withheld
      case .paused(let reason): .paused(reason)
      case .failing(let reason): .retrying(reason)
      }
    return Tracker.Statistics(
      ledger: ledger, waitingElsewhere: storeState.store?.waitingElsewhere() ?? 0, delivery: delivery,
      inMemoryBecause: memoryReason, requests: counts.requests, retries: counts.retries)
  }

  /// Commits the events that were logged before the mark. Returns how many of them could not be committed.
  func persist(before mark: Int) async -> Int {
    await commitPending(before: mark)
    leaveMemory()
    return intake.uncommitted(before: mark) + (memoryReason == nil ? 0 : storeState.ledger.pending)
  }

  /// Keeps the decision. Lets no further request start without consent.
  nonisolated func decide(_ consent: Tracker.Consent) {
    if consent != .granted { withdraw() }
    self.consent.decide(consent)
  }

  /// Does what the decision asks for: deletes, or delivers.
  func consentDecided(before mark: Int) async {
    await commitPending(before: mark)
    // Also what no event has led to yet, such as an open that failed.
    if gate.consent == .denied { deleteEverything(.consentDenied) }
    startDigestIfDue()
  }

  func purge(before mark: Int) async {
    withdraw()
    purges += 1
    await commitPending(before: mark)
    deleteEverything(.purged)
    purges -= 1
    startDigestIfDue()
  }

  /// Deletes what is staged and stored, and the databases of the app's other destinations that no tracker uses.
  func deleteEverything(_ reason: DropReason) {
    withdraw()
    owedDeletion = reason
    let count = intake.discardStaged(reason)
    // A user's request to delete overrides a breaker that keeps the store closed.
    if suspension == .everything { suspension = .delivery }
    openStore()
    deleteStored(reason, count)
  }

  /// - Parameter count: how many other events were deleted for the same reason.
  func deleteStored(_ reason: DropReason, _ count: Int) {
    var count = count
    do {
      let others = consent.databases.map { DatabaseFiles.removeAll(in: $0) } ?? 0
      if let store = storeState.store {
        count += try queue.deleteAll { () throws(TrackingStoreError) in try store.deleteAll(reason: reason) }
        if others > 0 { _ = try store.append([], dropped: [reason: others], inFlight: nil) }
        owedDeletion = nil
      }
      rejections.eventsWereRemoved()
      if count + others > 0 { outcomes.emit(.dropped(reason, count: count + others)) }
    } catch {
      if count > 0 { outcomes.emit(.dropped(reason, count: count)) }
      storeFailed(error)
    }
  }

  func setPaused(_ isPaused: Bool) {
    gate.setPausedByApp(isPaused)
    if isPaused {
      withdraw()
      outcomes.emit(.paused(.manual))
    }
    startDigestIfDue()
  }

  func setEndpoint(_ endpoint: TrackingEndpoint, adopting: Bool, before mark: Int) async {
    withdraw()
    endpointGeneration += 1
    queue.discardReadAhead()
    client = configuration.client(for: .collector(endpoint))
    tell(endpoint)
    gate.endpointChanged()
    if configuration.storage.separates(destination, endpoint.destination), !adopting {
      // No batch of the old store is sent to the new endpoint.
      purges += 1
      digestTask?.cancel()
      await digestTask?.value
      await commitPending(before: mark)
      openStore(of: endpoint.destination)
      purges -= 1
      return startDigestIfDue()
    }
    destination = endpoint.destination
    queue.stored(rejections.count, at: now)
    rejections.endpointChanged()
    forgetRetryAfter()
    startDigestIfDue()
  }

  func connectivityReturned() {
    gate.networkReturned(at: now)
    startDigestIfDue()
  }

  func deadLetters() throws(TrackingStoreError) -> [DeadLetter] {
    try requireStore()?.deadLetters() ?? []
  }

  func retryDeadLetters() throws(TrackingStoreError) -> Int {
    let count = try requireStore()?.retryDeadLetters() ?? 0
    queue.stored(count, at: now)
    startDigestIfDue()
    return count
  }

  func note(_ key: String) throws(TrackingStoreError) -> Int64? {
    try requireStore()?.note(key)
  }

  func setNote(_ key: String, _ value: Int64?) throws(TrackingStoreError) {
    try requireStore()?.setNote(key, value)
  }

  func waitingIDs() throws(TrackingStoreError) -> [EventID] {
    try requireStore()?.waitingIDs() ?? []
  }

  /// Delivers what it can within the time, then closes the store. Later events are dropped.
  func shutDown(timeout: Duration) async -> Tracker.FlushReport {
    intake.close()
    let report = await flush(timeout: timeout, before: intake.mark)
    await stopDigest()
    waiters.settleAll(.timedOut)
    await commitPending()
    storeState.close()
    notifyHold(.shutDown)
    return report
  }
}

// MARK: - What the user and a breaker decide

extension TrackingDispatcher {
  /// Makes the decision in a database of an earlier version that of the app, which has none yet.
  func takeOverConsent(from store: any TrackingDataStore) throws(TrackingStoreError) {
    guard !consent.isDecided, let number = try store.note(Self.consentNote),
      let choice = Tracker.Consent(number: number)
    else { return }
    consent.decide(choice)
    followConsent()
  }

  /// Obeys the hold, from now on.
  func obey(_ hold: any TrackerHold) async {
    self.hold = self.hold ?? hold
    await commitPending()
  }

  /// Reports an event to the hold, if there is one.
  func notifyHold(_ event: TrackerEvent) {
    hold?.handle(event, from: ObjectIdentifier(self))
  }

  /// Obeys the breaker as it is now.
  func followHold() {
    guard let now = hold?.suspension, now != suspension else { return }
    suspension = now
    gate.isHeldByBreaker = now != .none
    guard now != .none else { return }
    withdraw()
    outcomes.emit(.paused(.breaker))
  }

  /// Obeys the user's decision as it is now, also if another tracker or process has changed it, and the breaker.
  func followConsent() {
    followHold()
    let now = consent.refresh()
    if let failure = consent.takeFailure() { outcomes.emit(.storeFailed(failure)) }
    guard now != gate.consent else { return }
    gate.consent = now
    if now != .granted { withdraw() }
  }

  /// Whether nothing is left of what was to be deleted. Tries again if something is.
  func hasDeleted() -> Bool {
    if let reason = owedDeletion, case .open = storeState { deleteStored(reason, 0) }
    return owedDeletion == nil
  }
}

// MARK: - Callers that wait for delivery

extension TrackingDispatcher {
  /// Delivers the pending events. Returns when that is done, an obstacle prevents it, or the time is up.
  ///
  /// - Parameter mark: the events that were logged before it are meant.
  func flush(timeout: Duration, before mark: Int) async -> Tracker.FlushReport {
    health.tryAgain()
    followHold()
    openStore()
    leaveMemory()
    let before = ledger
    await commitPending(before: mark)
    gate.retryNow()
    tryRefusedAgain()
    let obstacle = await waitForDelivery(timeout: timeout)
    let after = ledger
    let dropped = after.dropped.merging(before.dropped, uniquingKeysWith: -).filter { $0.value > 0 }
    return Tracker.FlushReport(
      sent: after.delivered - before.delivered, pending: after.pending, dropped: dropped,
      deadLettered: max(0, after.deadLettered - before.deadLettered), obstacle: obstacle,
      wait: obstacle == nil ? nil : gate.wait(at: now))
  }

  private func waitForDelivery(timeout: Duration) async -> Tracker.FlushReport.Obstacle? {
    if suspension == .everything { return .paused(.breaker) }
    if let failure = health.failure, !canMakeRoom { return .store(failure) }
    let last: Int64
    do throws(TrackingStoreError) {
      guard let newest = try waitingSequences()?.upperBound else { return nil }
      last = newest
    } catch { return .store(error) }
    let ticket = waiters.add(upTo: last)
    let requests = counts.requests
    startDigestIfDue()
    // The timeout counts only if there is no result when this actor resumes.
    try? await Deadline(timeout, sleep: configuration.time.sleep).run { await ticket.wait() }
    return waiters.leave(ticket, orElse: Task.isCancelled ? .cancelled : obstacleAtExpiry(requestsBefore: requests))
  }

  /// The reason for a timeout. A failed or unanswered request says more than the timeout itself.
  private func obstacleAtExpiry(requestsBefore: Int) -> Tracker.FlushReport.Obstacle {
    if case .failing(let failure)? = gate.obstacle(at: now) { return .failing(failure) }
    if let failure = gate.lastFailure { return .failing(failure) }
    return digestTask != nil && counts.requests == requestsBefore ? .failing(.transport(.timedOut)) : .timedOut
  }

  /// Resumes the callers whose events are done or blocked.
  func settleWaiters() {
    guard !waiters.isEmpty else { return }
    do {
      waiters.settle(oldest: try waitingSequences()?.lowerBound, obstacle: lastingObstacle)
    } catch {
      waiters.settleAll(.store(error))
    }
  }

  /// The sequences in the store. A damaged store that cannot tell them is replaced.
  private func waitingSequences() throws(TrackingStoreError) -> ClosedRange<Int64>? {
    do throws(TrackingStoreError) { return try storeState.store?.waitingSequences() } catch {
      storeFailed(error)
      throw error
    }
  }

  /// An obstacle that does not end by itself within a flush.
  private var lastingObstacle: Tracker.FlushReport.Obstacle? {
    if let failure = health.failure, !canMakeRoom { return .store(failure) }
    switch gate.obstacle(at: now) {
    case nil: return rejections.restsUntil == nil ? nil : .paused(.everythingRejected(rejections.reason))
    case .consent: return .consent
    case .paused(let reason): return .paused(reason)
    case .failing(let reason): return gate.openingTime(at: now) == nil ? .failing(reason) : nil
    }
  }
}

// MARK: - What a breaker suspends

/// What a tracker may not do while a breaker is open.
package enum TrackerSuspension: Sendable, Hashable {
  /// No restriction.
  case none
  /// Events are stored and not delivered.
  case delivery
  /// The store is not opened: stored events wait on disk, new ones in memory.
  case everything
}

/// A part outside the tracker that may suspend it: the breaker of an adapter.
package protocol TrackerHold: Sendable {
  /// What the tracker may not do now.
  var suspension: TrackerSuspension { get }
  /// Handles an event of a tracker, on the tracker's dispatcher. Must return quickly.
  func handle(_ event: TrackerEvent, from tracker: Tracker.Identity)
}

/// An event of a tracker that its hold handles.
package enum TrackerEvent: Sendable {
  /// A read or write of the store succeeded.
  case storeWorks
  /// The store cannot be opened, read or written.
  case storeFails(TrackingStoreError)
  /// The collector permanently refused so many events.
  case refused(Int)
  /// The tracker was shut down.
  case shutDown
}

extension Tracker {
  /// Tells trackers apart.
  package typealias Identity = ObjectIdentifier

  /// The tracker's identity, as its events carry it.
  package var identity: Identity { ObjectIdentifier(dispatcher) }

  /// Obeys a hold soon, from now on.
  package func obey(_ hold: any TrackerHold) {
    let dispatcher = dispatcher
    Task { await dispatcher.obey(hold) }
  }
}
