/// Inbox → store: events are converted, encoded and committed in the order in which they were sent.
extension TrackingDispatcher {
  /// Commits everything that waits in memory.
  func takeIn() async {
    if intake.hasUncommitted || intake.hasMore { beginWindow() }
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
    intake.stageChunk(isDenied: gate.consent == .denied)
    commit()
    // When a damaged database was replaced, its staged events are committed to the fresh one by another call.
    let isUncommitted = hold.store != nil && !intake.staged.isEmpty
    return health.failure == nil && (isUncommitted || intake.hasMore)
  }

  /// Stores what is staged, in as few transactions as may be; what the store does not take stays staged.
  func commit() {
    do {
      while intake.hasUncommitted, let store = openStore() {
        let events = intake.nextTransaction
        let evicted = try store.append(events, dropped: intake.drops, inFlight: queue.inFlight)
        queue.stored(events.count, evicted: evicted.values.reduce(0, +), at: now)
        if intake.isUrgent { queue.hurry() }
        outcomes.stored(events)
        for (reason, count) in evicted.sorted(by: { $0.key < $1.key }) {
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
