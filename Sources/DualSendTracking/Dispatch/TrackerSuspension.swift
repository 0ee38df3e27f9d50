/// What an open breaker does not let a tracker do.
package enum TrackerSuspension: Sendable, Hashable {
  /// The tracker works.
  case none
  /// Events are stored; what waits stays on disk.
  case delivery
  /// The store is not even opened. What waits stays on disk; new events wait in memory.
  case everything
}

/// What a breaker asks of a tracker.
package enum TrackerSign: Sendable {
  /// The store is open; how many dead letters its ledger counts.
  case opened(deadLetters: Int)
  /// The store did what it was asked to.
  case storeWorks
  /// The store cannot be opened, read or written.
  case storeFails(TrackingStoreError)
  /// The collector refused events for good; how many the ledger counts by now.
  case deadLettered(total: Int)
  /// The tracker was shut down in order.
  case shutDown
}

extension Tracker {
  /// Does what a breaker asks for by now. Of several calls at once, the last one acts on the newest answer.
  package func follow(_ suspension: @escaping @Sendable () -> TrackerSuspension) async {
    await dispatcher.follow(suspension)
  }
}
