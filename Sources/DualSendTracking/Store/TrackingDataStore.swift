package import DualSendCore

/// A store for events until they are delivered.
///
/// The dispatcher calls a store from one thread at a time, off the caller's thread, so methods may block. Each method
/// is one transaction, including the ledger: if it throws, nothing has changed. Test a conforming type with the store
/// conformance suite.
package protocol TrackingDataStore: AnyObject, Sendable {
  /// Appends events in order, with the next sequences, then evicts by the quota: the oldest events that are not in
  /// flight first.
  ///
  /// - Parameters:
  ///   - events: the events; their `sequence` is ignored.
  ///   - dropped: events dropped before they reached the store, by reason. They count as accepted, too.
  ///   - inFlight: the sequences in flight, which are not evicted.
  /// - Returns: the number of evicted events, by reason.
  func append(
    _ events: [TrackingData], dropped: [DropReason: Int], inFlight: ClosedRange<Int64>?
  ) throws(TrackingStoreError) -> [DropReason: Int]

  /// The oldest events from a sequence on, in order: at most `maximumEvents` and `maximumBytes`, but at least one event
  /// if there is any.
  func batch(
    from sequence: Int64, maximumEvents: Int, maximumBytes: Int
  ) throws(TrackingStoreError) -> [TrackingData]

  /// Removes events that were delivered or dead-lettered.
  ///
  /// An event that is no longer present is not counted again.
  func resolve(delivered: [TrackingData], deadLettered: [DeadLetter]) throws(TrackingStoreError)

  /// Counts a failed request for each of the events.
  func recordFailedAttempt(_ events: [TrackingData]) throws(TrackingStoreError)

  /// Deletes all pending events and all dead letters, and counts them as dropped. Returns their number.
  func deleteAll(reason: DropReason) throws(TrackingStoreError) -> Int

  /// The ledger; `pending` is the number of events in this store.
  func ledger() throws(TrackingStoreError) -> TrackingLedger

  /// The pending bytes of all bodies. Called after each transaction if ``TrackerConfiguration/FlowControl`` has a size,
  /// so it should be fast; the default implementation reads all events.
  func waitingBytes() throws(TrackingStoreError) -> Int

  /// The sequences of the oldest and the newest pending event; `nil` if there is none.
  func waitingSequences() throws(TrackingStoreError) -> ClosedRange<Int64>?

  /// The ids of all pending events, oldest first, for tools. Takes 16 bytes for each event.
  func waitingIDs() throws(TrackingStoreError) -> [EventID]

  /// The dead letters whose bodies are kept, oldest first.
  func deadLetters() throws(TrackingStoreError) -> [DeadLetter]

  /// Puts the chosen dead letters at the end of the queue, in order. Returns their number.
  func retryDeadLetters(where isChosen: (DeadLetter) -> Bool) throws(TrackingStoreError) -> Int

  /// A small value that is kept across launches.
  func note(_ key: String) throws(TrackingStoreError) -> Int64?

  /// Saves a small value across launches; `nil` deletes it.
  func setNote(_ key: String, _ value: Int64?) throws(TrackingStoreError)

  /// Frees unused space. Called when no request is in flight. The default implementation does nothing.
  func reclaimSpace()

  /// Whether damage was found, and what is damaged set aside, when the store was opened. By default `false`.
  var foundDamage: Bool { get }

  /// How many events wait in other databases, for other destinations, which no tracker uses. By default 0.
  func waitingElsewhere() -> Int

  /// Ends the use of the store: no call follows. The default implementation does nothing.
  func close()
}

extension TrackingDataStore {
  /// Does nothing.
  package func reclaimSpace() {}

  /// No damage.
  package var foundDamage: Bool { false }

  /// None.
  package func waitingElsewhere() -> Int { 0 }

  /// Does nothing.
  package func close() {}

  /// Reads all pending events.
  package func waitingBytes() throws(TrackingStoreError) -> Int {
    try batch(maximumEvents: .max, maximumBytes: .max).reduce(0) { $0 + $1.bodyCount }
  }

  /// Puts all dead letters that can be sent back into the queue; see ``retryDeadLetters(where:)``.
  package func retryDeadLetters() throws(TrackingStoreError) -> Int {
    try retryDeadLetters(where: \.canBeSent)
  }

  /// The oldest events; see ``batch(from:maximumEvents:maximumBytes:)``.
  package func batch(maximumEvents: Int, maximumBytes: Int) throws(TrackingStoreError) -> [TrackingData] {
    try batch(from: .min, maximumEvents: maximumEvents, maximumBytes: maximumBytes)
  }
}
