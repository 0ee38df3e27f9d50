@_spi(Tools) import DualSendCore

/// Tracker.Consent, pause, purge, dead letters, shutdown, and how things stand.
extension TrackingDispatcher {
  /// What became of every event, those in memory included.
  var ledger: TrackingLedger {
    var ledger = ledgerAtShutdown ?? (try? store?.ledger()) ?? TrackingLedger()
    let (waiting, turnedAway) = inbox.counts
    let inMemory = waiting + buffer.events.count - nextInBuffer + staged.count
    ledger.accepted += inMemory
    ledger.pending += inMemory
    for (reason, count) in turnedAway.merging(stagedDrops, uniquingKeysWith: +) {
      ledger.accepted += count
      ledger.dropped[reason, default: 0] += count
    }
    return ledger
  }

  var statistics: Tracker.Statistics {
    if storeFailure == nil { openStore() }
    let delivery: Tracker.Statistics.Delivery =
      switch gate.obstacle(at: now) {
      case _ where inFlight != nil: .sending
      case nil: .idle
      case .consent: .withheld
      case .paused(let reason): .paused(reason)
      case .failing(let reason): .retrying(reason)
      }
    return Tracker.Statistics(ledger: ledger, delivery: delivery, requests: requests, retries: retries)
  }

  /// Commits what waits in memory. Returns how many events could not be committed.
  func persist() async -> Int {
    await takeIn()
    return inbox.counts.waiting + buffer.events.count - nextInBuffer + staged.count
  }

  func setConsent(_ consent: Tracker.Consent) async {
    await takeIn()
    gate.consent = consent
    if consent == .denied { deleteEverything(.consentDenied) }
    considerDigest()
  }

  func purge() async {
    await takeIn()
    deleteEverything(.purged)
    considerDigest()
  }

  private func deleteEverything(_ reason: DropReason) {
    following = nil
    let unsaved = staged.count
    staged.removeAll()
    drop(reason, count: unsaved)
    do {
      let count = try store?.deleteAll(reason: reason) ?? 0
      storedCount = 0
      if count > 0 { outcomes.emit(.dropped(reason, count: count)) }
    } catch {
      storeFailed(error)
    }
  }

  func setPaused(_ isPaused: Bool) {
    gate.setPausedByApp(isPaused)
    if isPaused { outcomes.emit(.paused(.manual)) }
    considerDigest()
  }

  func setEndpoint(_ endpoint: TrackingEndpoint) {
    following = nil
    client = TrackingNetworkClient(endpoint: endpoint, transport: client.transport, time: client.time)
    gate.endpointChanged()
    try? store?.setNote(Self.retryAfterNote, nil)
    considerDigest()
  }

  func connectivityReturned() {
    gate.hurry()
    considerDigest()
  }

  func deadLetters() throws(TrackingStoreError) -> [DeadLetter] {
    try openStore()?.deadLetters() ?? []
  }

  func retryDeadLetters() throws(TrackingStoreError) -> Int {
    let count = try openStore()?.retryDeadLetters() ?? 0
    if storedCount == 0, count > 0 { waitingSince = now }
    storedCount += count
    considerDigest()
    return count
  }

  func note(_ key: String) throws(TrackingStoreError) -> Int64? {
    try openStore()?.note(key)
  }

  func setNote(_ key: String, _ value: Int64?) throws(TrackingStoreError) {
    try openStore()?.setNote(key, value)
  }

  func waitingIDs() throws(TrackingStoreError) -> [EventID] {
    try openStore()?.waitingIDs() ?? []
  }

  /// Delivers what it can within the time, then lets go of the store. Later events are turned away.
  func shutDown(timeout: Duration) async -> Tracker.FlushReport {
    inbox.close()
    let report = await flush(timeout: timeout)
    isShutDown = true
    stopTimer()
    digestTask?.cancel()
    await digestTask?.value
    await takeIn()
    if ledgerAtShutdown == nil { ledgerAtShutdown = (try? store?.ledger()) ?? TrackingLedger() }
    store = nil
    return report
  }
}
