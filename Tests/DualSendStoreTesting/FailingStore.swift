package import DualSendCore
package import DualSendTracking

/// A store in memory whose calls fail on demand.
package final class FailingStore: TrackingDataStore {
  private let store: InMemoryTrackingDataStore
  private let failures = Locked<[TrackingStoreError]>([])
  private let standingFailure = Locked<TrackingStoreError?>(nil)

  /// Creates an empty store without failures.
  package init(quota: TrackerConfiguration.Quota = TrackerConfiguration.Quota(), time: TimeSource = .system) {
    store = InMemoryTrackingDataStore(quota: quota, time: time)
  }

  /// Makes the next writes fail, one for each error.
  package func failNext(_ errors: TrackingStoreError...) {
    failures.withLock { $0 += errors }
  }

  /// Makes every write fail with this error; `nil` makes them succeed again.
  package func failUntilToldOtherwise(_ error: TrackingStoreError?) {
    standingFailure.withLock { $0 = error }
  }

  private func check() throws(TrackingStoreError) {
    if let error = standingFailure.current { throw error }
    if let error = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
  }

  /// See `TrackingDataStore.append(_:dropped:inFlight:)`.
  package func append(
    _ events: [TrackingData], dropped: [DropReason: Int], inFlight: ClosedRange<Int64>?
  ) throws(TrackingStoreError) -> [DropReason: Int] {
    try check()
    return store.append(events, dropped: dropped, inFlight: inFlight)
  }

  /// See `TrackingDataStore.batch(from:maximumEvents:maximumBytes:)`.
  package func batch(from sequence: Int64, maximumEvents: Int, maximumBytes: Int) -> [TrackingData] {
    store.batch(from: sequence, maximumEvents: maximumEvents, maximumBytes: maximumBytes)
  }

  /// See `TrackingDataStore.resolve(delivered:deadLettered:)`.
  package func resolve(delivered: [TrackingData], deadLettered: [DeadLetter]) throws(TrackingStoreError) {
    try check()
    store.resolve(delivered: delivered, deadLettered: deadLettered)
  }

  /// See `TrackingDataStore.recordFailedAttempt(_:)`.
  package func recordFailedAttempt(_ events: [TrackingData]) throws(TrackingStoreError) {
    try check()
    store.recordFailedAttempt(events)
  }

  /// See `TrackingDataStore.deleteAll(reason:)`.
  package func deleteAll(reason: DropReason) throws(TrackingStoreError) -> Int {
    try check()
    return store.deleteAll(reason: reason)
  }

  /// See `TrackingDataStore.ledger()`.
  package func ledger() -> TrackingLedger { store.ledger() }

  /// See `TrackingDataStore.waitingSequences()`.
  package func waitingSequences() -> ClosedRange<Int64>? { store.waitingSequences() }

  /// See `TrackingDataStore.waitingIDs()`.
  package func waitingIDs() -> [EventID] { store.waitingIDs() }

  /// See `TrackingDataStore.deadLetters()`.
  package func deadLetters() -> [DeadLetter] { store.deadLetters() }

  /// See `TrackingDataStore.retryDeadLetters(where:)`.
  package func retryDeadLetters(where isChosen: (DeadLetter) -> Bool) throws(TrackingStoreError) -> Int {
    try check()
    return store.retryDeadLetters(where: isChosen)
  }

  /// See `TrackingDataStore.note(_:)`.
  package func note(_ key: String) -> Int64? { store.note(key) }

  /// See `TrackingDataStore.setNote(_:_:)`.
  package func setNote(_ key: String, _ value: Int64?) throws(TrackingStoreError) {
    try check()
    store.setNote(key, value)
  }
}
