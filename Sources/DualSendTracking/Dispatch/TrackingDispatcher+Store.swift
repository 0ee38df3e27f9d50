import DualSendCore

/// Opening the store, and going on after it failed.
extension TrackingDispatcher {
  /// The note that keeps a server's `Retry-After` across a restart, in milliseconds since 1970.
  static let retryAfterNote = "delivery.notBefore"

  /// The store, opened if it is not open yet; then it continues what an earlier launch left.
  @discardableResult
  func openStore() -> (any TrackingDataStore)? {
    guard case .notOpen = hold else { return hold.store }
    do {
      let opened = try configuration.storage.open(
        quota: configuration.quota, time: configuration.time, for: configuration.destination.ofStore,
        warn: outcomes.warn)
      let ledger = try opened.ledger()
      streak.restore(try opened.note(RejectionStreak.note))
      adopt(opened, ledger, notBefore: try opened.note(Self.retryAfterNote))
      health.works()
      // This ledger has counted nothing but a database set aside, so it was begun just now in place of that one.
      if ledger.accepted == 0, ledger.databasesSetAside > 0 { outcomes.emit(.databaseSetAside) }
      return opened
    } catch {
      storeFailed(error)
      return hold.store
    }
  }

  /// The store; `nil` once it was let go of.
  ///
  /// - Throws: why it cannot be opened.
  func requireStore() throws(TrackingStoreError) -> (any TrackingDataStore)? {
    if let store = openStore() { return store }
    if case .notOpen = hold, let failure = health.failure { throw failure }
    return nil
  }

  private func adopt(_ opened: any TrackingDataStore, _ ledger: TrackingLedger, notBefore: Int64?) {
    hold = .open(opened)
    // What an earlier launch left has waited long enough.
    queue.opened(holding: ledger.pending, waitingSince: now - configuration.digest.start.longestInterval)
    guard let notBefore else { return }
    let wall = configuration.time.wallMilliseconds()
    let (left, overflow) = notBefore.subtractingReportingOverflow(wall)
    guard left > 0, !overflow else { return }
    let wait = min(.milliseconds(left), RetryAfter.cap)
    gate.serverAsks(until: now + wait)
    // A clock set back since then must not make the wait longer than any server may ask for, now or in later launches.
    if wait < .milliseconds(left) { try? opened.setNote(Self.retryAfterNote, wall + wait.inMilliseconds) }
  }

  /// Keeps everything in memory and tries again later; only a damaged database is replaced.
  func storeFailed(_ error: TrackingStoreError) {
    health.failed(error)
    outcomes.emit(.storeFailed(error))
    if error.kind == .damaged { replaceDamagedStore() }
    if let delay = health.retryDelay { setTimer(due: now + delay) }
  }

  private func replaceDamagedStore() {
    guard let damaged = hold.store else { return }
    queue.storeLost()
    do {
      let fresh = try configuration.storage.replace(damaged: damaged)
      adopt(fresh, try fresh.ledger(), notBefore: nil)
      // After a second failure in a row the fresh database waits for the timer like any that failed: a disk that damages
      // all that it is given must not be filled with files set aside.
      if health.isFirstFailure { health.tryAgain() }
      outcomes.emit(.databaseSetAside)
    } catch {
      hold = .notOpen
      health.replacementFailed(error)
    }
  }
}
