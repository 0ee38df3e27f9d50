import DualSendCore

/// Opening the store, and recovery from its failures.
extension TrackingDispatcher {
  /// The note that keeps a server's `Retry-After` across a restart, in milliseconds since 1970.
  static let retryAfterNote = "delivery.notBefore"
  /// The notes of the length of that wait, and of the uptime when it was saved, in milliseconds.
  private static let (askedNote, askedAtNote) = ("delivery.retryAfter", "delivery.retryAfterAt")

  /// The store. Opens it if necessary, and continues with the state of an earlier launch.
  @discardableResult
  func openStore() -> (any TrackingDataStore)? {
    guard case .notOpen = storeState, suspension != .everything else { return storeState.store }
    do {
      let opened = try configuration.storage.open(
        quota: configuration.quota, time: configuration.time, for: configuration.destination.ofStore)
      let ledger = try opened.ledger()
      rejections.restore(try opened.note(ConsecutiveRejections.note))
      adopt(opened, ledger, retryAfter: try keptRetryAfter(in: opened))
      storeWorks()
      // The ledger has only counted a database that was set aside, so this store has just replaced it.
      if ledger.accepted == 0, ledger.databasesSetAside > 0 { outcomes.emit(.databaseSetAside) }
      return opened
    } catch {
      storeFailed(error)
      return storeState.store
    }
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
  }

  /// The rest of a server's `Retry-After`; `nil` if it is over.
  ///
  /// Measured by the uptime, which users cannot set; after a reboot by the wall clock. Never longer than the server
  /// asked for.
  private func keptRetryAfter(in store: any TrackingDataStore) throws(TrackingStoreError) -> Duration? {
    guard let notBefore = try store.note(Self.retryAfterNote) else { return nil }
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
    health.failed(error)
    notifyHold(.storeFails(error))
    outcomes.emit(.storeFailed(error))
    if error.kind == .damaged { replaceDamagedStore() }
    if let delay = health.retryDelay { setTimer(due: now + delay) }
  }

  private func replaceDamagedStore() {
    guard let damaged = storeState.store else { return }
    queue.storeLost()
    do {
      let fresh = try configuration.storage.replace(damaged: damaged)
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
