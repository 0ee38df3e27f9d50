import DualSendCore

/// Consent, pause, purge, dead letters, shutdown and statistics.
extension TrackingDispatcher {
  /// The ledger, including events in memory.
  var ledger: TrackingLedger {
    var ledger = storeState.ledger
    intake.count(into: &ledger)
    return ledger
  }

  var statistics: Tracker.Statistics {
    if health.failure == nil { openStore() }
    let delivery: Tracker.Statistics.Delivery =
      switch gate.obstacle(at: now) {
      case _ where queue.inFlight != nil: .sending
      case nil: .idle
      case .consent: .withheld
      case .paused(let reason): .paused(reason)
      case .failing(let reason): .retrying(reason)
      }
    return Tracker.Statistics(
      ledger: ledger, delivery: delivery, requests: counts.requests, retries: counts.retries)
  }

  /// Commits the events in memory. Returns how many could not be committed; later events do not count.
  func persist() async -> Int {
    await commitPending()
    return intake.countInHand == 0 ? 0 : intake.count
  }

  func setConsent(_ consent: Tracker.Consent) async {
    await commitPending()
    gate.consent = consent
    if consent == .denied { deleteEverything(.consentDenied) }
    startDigestIfDue()
  }

  func purge() async {
    await commitPending()
    deleteEverything(.purged)
    startDigestIfDue()
  }

  private func deleteEverything(_ reason: DropReason) {
    intake.discardStaged(reason)
    // A user's request to delete overrides a breaker that keeps the store closed.
    if suspension == .everything {
      suspension = .delivery
      openStore()
    }
    do {
      let store = storeState.store
      let count = try queue.deleteAll { () throws(TrackingStoreError) in try store?.deleteAll(reason: reason) ?? 0 }
      if count > 0 { outcomes.emit(.dropped(reason, count: count)) }
    } catch {
      storeFailed(error)
    }
  }

  func setPaused(_ isPaused: Bool) {
    gate.setPausedByApp(isPaused)
    if isPaused { outcomes.emit(.paused(.manual)) }
    startDigestIfDue()
  }

  /// Reports an event to the hold, if there is one.
  func notifyHold(_ event: TrackerEvent) {
    configuration.hold?.handle(event, from: ObjectIdentifier(self))
  }

  /// Applies a suspension.
  func follow(_ answer: @Sendable () -> TrackerSuspension) async {
    suspension = answer()
    gate.isHeldByBreaker = suspension != .none
    if suspension != .none { outcomes.emit(.paused(.breaker)) }
    await commitPending()
  }

  func setEndpoint(_ endpoint: TrackingEndpoint) {
    queue.endpointChanged()
    client = configuration.client(for: .collector(endpoint))
    gate.endpointChanged()
    rejections.ended()
    saveRejectionCount()
    try? storeState.store?.setNote(Self.retryAfterNote, nil)
    startDigestIfDue()
  }

  func connectivityReturned() {
    gate.retryNow()
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
    let report = await flush(timeout: timeout)
    await stopDigest()
    await commitPending()
    storeState.close()
    notifyHold(.shutDown)
    return report
  }
}
