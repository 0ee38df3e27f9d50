import DualSendCore

/// Opening the store, and going on after it failed.
extension TrackingDispatcher {
  /// The note that keeps a server's `Retry-After` across a restart, in milliseconds since 1970.
  static let retryAfterNote = "delivery.notBefore"
  /// The notes of how long that was when it was noted, and of the uptime then, in milliseconds.
  private static let (askedNote, askedAtNote) = ("delivery.retryAfter", "delivery.retryAfterAt")

  /// The store, opened if it is not open yet; then it continues what an earlier launch left.
  @discardableResult
  func openStore() -> (any TrackingDataStore)? {
    guard case .notOpen = hold, suspension != .everything else { return hold.store }
    do {
      let opened = try configuration.storage.open(
        quota: configuration.quota, time: configuration.time, for: configuration.destination.ofStore,
        warn: outcomes.warn)
      let ledger = try opened.ledger()
      streak.restore(try opened.note(RejectionStreak.note))
      adopt(opened, ledger, retryAfter: try keptRetryAfter(in: opened))
      storeWorks()
      configuration.healthObserver?(.opened(deadLetters: ledger.deadLettered))
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

  private func adopt(_ opened: any TrackingDataStore, _ ledger: TrackingLedger, retryAfter: Duration?) {
    hold = .open(opened)
    // What an earlier launch left has waited long enough.
    queue.opened(holding: ledger.pending, waitingSince: now - configuration.digest.start.longestInterval)
    guard let retryAfter else { return }
    gate.serverAsks(until: now + retryAfter)
    // Noted anew, so that later launches do not wait for as long again where no clock is to be trusted.
    try? keep(retryAfter, in: opened)
  }

  /// Keeps a server's wish to be left alone for later launches.
  func keep(_ retryAfter: Duration, in store: any TrackingDataStore) throws(TrackingStoreError) {
    try store.setNote(Self.retryAfterNote, configuration.time.wallMilliseconds() + retryAfter.inMilliseconds)
    try store.setNote(Self.askedNote, retryAfter.inMilliseconds)
    try store.setNote(Self.askedAtNote, now.inMilliseconds)
  }

  /// How long a server still wants to be left alone; `nil` if not at all.
  ///
  /// The time since boot says how long it was told ago, whatever people do to the wall clock. After a reboot the wall
  /// clock says it. In no case is it longer than the server asked for.
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

  func storeWorks() {
    health.works()
    configuration.healthObserver?(.storeWorks)
  }

  /// Keeps everything in memory and tries again later; only a damaged database is replaced.
  func storeFailed(_ error: TrackingStoreError) {
    health.failed(error)
    configuration.healthObserver?(.storeFails(error))
    outcomes.emit(.storeFailed(error))
    if error.kind == .damaged { replaceDamagedStore() }
    if let delay = health.retryDelay { setTimer(due: now + delay) }
  }

  private func replaceDamagedStore() {
    guard let damaged = hold.store else { return }
    queue.storeLost()
    do {
      let fresh = try configuration.storage.replace(damaged: damaged)
      adopt(fresh, try fresh.ledger(), retryAfter: nil)
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
