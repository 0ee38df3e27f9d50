public import DualSendCore
public import DualSendTracking

/// A store in memory whose calls fail on demand.
public final class FailingStore: TrackingDataStore {
  private let store: InMemoryTrackingDataStore
  private let failures = Locked<[TrackingStoreError]>([])
  private let standingFailure = Locked<TrackingStoreError?>(nil)

  /// Creates an empty store without failures.
  public init(quota: TrackerConfiguration.Quota = TrackerConfiguration.Quota(), time: TimeSource = .system) {
    store = InMemoryTrackingDataStore(quota: quota, time: time)
  }

  /// Makes the next writes fail, one for each error.
  public func failNext(_ errors: TrackingStoreError...) {
    failures.withLock { $0 += errors }
  }

  /// Makes every write fail with this error; `nil` makes them succeed again.
  public func failUntilToldOtherwise(_ error: TrackingStoreError?) {
    standingFailure.withLock { $0 = error }
  }

  private func check() throws(TrackingStoreError) {
    if let error = standingFailure.current { throw error }
    if let error = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
  }

  /// See `TrackingDataStore.append(_:dropped:inFlight:)`.
  public func append(
    _ events: [TrackingData], dropped: [DropReason: Int], inFlight: ClosedRange<Int64>?
  ) throws(TrackingStoreError) -> [DropReason: Int] {
    try check()
    return store.append(events, dropped: dropped, inFlight: inFlight)
  }

  /// See `TrackingDataStore.batch(from:maximumEvents:maximumBytes:)`.
  public func batch(from sequence: Int64, maximumEvents: Int, maximumBytes: Int) -> [TrackingData] {
    store.batch(from: sequence, maximumEvents: maximumEvents, maximumBytes: maximumBytes)
  }

  /// See `TrackingDataStore.resolve(delivered:deadLettered:)`.
  public func resolve(delivered: [TrackingData], deadLettered: [DeadLetter]) throws(TrackingStoreError) {
    try check()
    store.resolve(delivered: delivered, deadLettered: deadLettered)
  }

  /// See `TrackingDataStore.recordFailedAttempt(_:)`.
  public func recordFailedAttempt(_ events: [TrackingData]) throws(TrackingStoreError) {
    try check()
    store.recordFailedAttempt(events)
  }

  /// See `TrackingDataStore.deleteAll(reason:)`.
  public func deleteAll(reason: DropReason) throws(TrackingStoreError) -> Int {
    try check()
    return store.deleteAll(reason: reason)
  }

  /// See `TrackingDataStore.ledger()`.
  public func ledger() -> TrackingLedger { store.ledger() }

  /// See `TrackingDataStore.waitingSequences()`.
  public func waitingSequences() -> ClosedRange<Int64>? { store.waitingSequences() }

  /// See `TrackingDataStore.waitingIDs()`.
  public func waitingIDs() -> [EventID] { store.waitingIDs() }

  /// See `TrackingDataStore.deadLetters()`.
  public func deadLetters() -> [DeadLetter] { store.deadLetters() }

  /// See `TrackingDataStore.retryDeadLetters(where:)`.
  public func retryDeadLetters(where isChosen: (DeadLetter) -> Bool) throws(TrackingStoreError) -> Int {
    try check()
    return store.retryDeadLetters(where: isChosen)
  }

  /// See `TrackingDataStore.note(_:)`.
  public func note(_ key: String) -> Int64? { store.note(key) }

  /// See `TrackingDataStore.setNote(_:_:)`.
  public func setNote(_ key: String, _ value: Int64?) throws(TrackingStoreError) {
    try check()
    store.setNote(key, value)
  }
}
