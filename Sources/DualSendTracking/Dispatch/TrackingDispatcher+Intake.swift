/// Inbox → store: converts, encodes and commits events in order.
extension TrackingDispatcher {
  /// Commits the events in memory. Later ones begin a window of their own, unless there are many.
  func commitPending() async {
    if intake.hasUncommitted || intake.hasMore { beginWindow() }
    // Delivery starts with the first chunk, in parallel with the commit of the next ones.
    while commitChunk() {
      startDigestIfDue()
      await Task.yield()
    }
    startDigestIfDue()
  }

  /// Commits at most one chunk, without suspending, so that two callers cannot overtake each other.
  ///
  /// - Returns: whether more events must be committed and the store accepts them.
  private func commitChunk() -> Bool {
    intake.stageChunk(isDenied: gate.consent == .denied)
    commit()
    // After a damaged database is replaced, another call commits the staged events to the new one.
    let isUncommitted = storeState.store != nil && !intake.staged.isEmpty
    return health.failure == nil && (isUncommitted || intake.hasBuffered || intake.shouldCommitNow)
  }

  /// Commits the staged events in as few transactions as possible. Events that the store does not accept stay staged.
  func commit() {
    do {
      while intake.hasUncommitted, let store = openStore() {
        let events = intake.nextTransaction
        let evicted = try store.append(events, dropped: intake.drops, inFlight: queue.inFlight)
        queue.stored(events.count, evicted: evicted.values.reduce(0, +), at: now)
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
