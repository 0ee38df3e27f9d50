@_spi(Tools) import DualSendCore

/// Inbox → store: events are converted, encoded and committed in the order in which they were sent.
extension TrackingDispatcher {
  /// The most events in one transaction; between two of them the digest loop gets its turn.
  private static let chunk = 1000
  /// The wait before the store is tried again: 0.1 s, doubled up to a minute.
  private static let storeBackoff = RetryBackoff(shape: .ladder, base: .milliseconds(100), cap: .seconds(60))
  /// The note that keeps a server's `Retry-After` across a restart, in milliseconds since 1970.
  static let retryAfterNote = "delivery.notBefore"

  /// Commits everything that waits in memory.
  func takeIn() async {
    // Delivery starts with the first chunk: while the network waits, the next ones are taken in.
    while takeInChunk() {
      considerDigest()
      await Task.yield()
    }
    considerDigest()
  }

  /// Commits at most one chunk, without suspending, so that two callers cannot overtake each other.
  ///
  /// - Returns: whether more waits in memory and the store takes it.
  private func takeInChunk() -> Bool {
    if nextInBuffer == buffer.events.count {
      inbox.take(into: &buffer)
      nextInBuffer = 0
      for (reason, count) in buffer.turnedAway { drop(reason, count: count) }
    }
    let end = min(nextInBuffer + Self.chunk, buffer.events.count)
    for captured in buffer.events[nextInBuffer..<end] { stage(captured) }
    nextInBuffer = end
    commit()
    // What a damaged database did not take, the fresh one in its place will.
    let isUncommitted = store != nil && !staged.isEmpty
    return storeFailure == nil && (isUncommitted || nextInBuffer < buffer.events.count || inbox.counts.waiting > 0)
  }

  private func stage(_ captured: CapturedEvent) {
    if gate.consent == .denied { return drop(.consentDenied) }
    if staged.count >= max(Self.chunk, configuration.inboxCapacity) { return drop(.storeUnavailable) }
    let result = encoder.encode(captured) { outcomes.emit(.valueLeftOut(eventName: captured.name, $0)) }
    switch result {
    case .encoded(let data): staged.append(data)
    case .dropped(let reason): drop(reason)
    }
  }

  /// Notes a drop; the ledger learns of it with the next commit.
  func drop(_ reason: DropReason, count: Int = 1) {
    guard count > 0 else { return }
    stagedDrops[reason, default: 0] += count
    outcomes.emit(.dropped(reason, count: count))
  }

  /// Stores what is staged, in one transaction; it stays staged if the store fails.
  func commit() {
    guard !staged.isEmpty || !stagedDrops.isEmpty, ledgerAtShutdown == nil else { return }
    guard let store = openStore() else { return }
    do {
      let evicted = try store.append(staged, dropped: stagedDrops, inFlight: inFlight)
      if storedCount == 0, !staged.isEmpty { waitingSince = now }
      storedCount += staged.count - evicted.values.reduce(0, +)
      if !evicted.isEmpty { following = nil }
      outcomes.stored(staged)
      for (reason, count) in evicted.sorted(by: { $0.key < $1.key }) {
        outcomes.emit(.dropped(reason, count: count))
      }
      staged.removeAll(keepingCapacity: true)
      stagedDrops = [:]
      storeWorks()
    } catch {
      storeFailed(error)
    }
  }

  /// The store, opened if it is not open yet; then it continues what an earlier launch left.
  @discardableResult
  func openStore() -> (any TrackingDataStore)? {
    if let store { return store }
    guard ledgerAtShutdown == nil else { return nil }
    do {
      let opened = try configuration.storage.open(quota: configuration.quota, time: configuration.time)
      let ledger = try opened.ledger()
      adopt(opened, ledger, notBefore: try opened.note(Self.retryAfterNote))
      storeWorks()
      // A ledger that knows of nothing but that was begun just now, in the place of a damaged one.
      if ledger.accepted == 0, ledger.databasesSetAside > 0 { outcomes.emit(.databaseSetAside) }
      return opened
    } catch {
      storeFailed(error)
      return store
    }
  }

  private func adopt(_ opened: any TrackingDataStore, _ ledger: TrackingLedger, notBefore: Int64?) {
    store = opened
    storedCount = ledger.pending
    // What an earlier launch left has waited long enough.
    waitingSince = storedCount > 0 ? now - configuration.digest.longestWait : nil
    guard let notBefore else { return }
    let wall = configuration.time.wallMilliseconds()
    let (left, overflow) = notBefore.subtractingReportingOverflow(wall)
    guard left > 0, !overflow else { return }
    let wait = min(.milliseconds(left), RetryAfter.cap)
    gate.serverAsks(until: now + wait)
    // A clock set back since then must not make the wait longer than any server may ask for, now or in later launches.
    if wait < .milliseconds(left) { try? opened.setNote(Self.retryAfterNote, wall + wait.milliseconds) }
  }

  func storeWorks() {
    storeFailure = nil
    storeFailures = 0
  }

  /// Keeps everything in memory and tries again later; only a damaged database is replaced.
  func storeFailed(_ error: TrackingStoreError) {
    let isFirstFailure = storeFailures == 0
    storeFailure = error
    storeFailures += 1
    outcomes.emit(.storeFailed(error))
    if error.kind == .damaged { replaceDamagedStore(goesOnAtOnce: isFirstFailure) }
    guard storeFailure != nil else { return }
    let delay = Self.storeBackoff.delay(afterFailures: storeFailures) { 1 } ?? .zero
    setTimer(due: now + delay)
  }

  /// - Parameter goesOnAtOnce: `false` makes the fresh database wait for the timer like any that failed: a disk that
  ///   damages all that it is given must not be filled with files set aside.
  private func replaceDamagedStore(goesOnAtOnce: Bool) {
    guard let damaged = store else { return }
    following = nil
    inFlight = nil
    do {
      let fresh = try configuration.storage.replace(damaged: damaged)
      adopt(fresh, try fresh.ledger(), notBefore: nil)
      unrecorded = []
      if goesOnAtOnce { storeFailure = nil }
      outcomes.emit(.databaseSetAside)
    } catch {
      store = nil
      storeFailure = error
    }
  }
}
