public import DualSendCore

/// Where events wait until the collector has them.
///
/// The dispatcher calls a store from one thread at a time, off the caller's path; every method may block. Each method
/// is one transaction: it happens as a whole, ledger included, or throws and changes nothing. A conforming type passes
/// the store conformance suite.
public protocol TrackingDataStore: AnyObject, Sendable {
  /// Appends events in order, gives each the next sequence, and makes room by the quota: the oldest event that is not
  /// in flight goes first.
  ///
  /// - Parameters:
  ///   - events: the events; their `sequence` is ignored.
  ///   - dropped: events given up before they reached the store, by reason; each counts as accepted too.
  ///   - inFlight: the sequences of the request that is under way; they are not evicted.
  /// - Returns: how many waiting events the quota pushed out, by reason.
  func append(
    _ events: [TrackingData], dropped: [DropReason: Int], inFlight: ClosedRange<Int64>?
  ) throws(TrackingStoreError) -> [DropReason: Int]

  /// The oldest events from a sequence on, in order: at most `maximumEvents`, and no more than fit `maximumBytes`, but
  /// always one if any.
  func batch(
    from sequence: Int64, maximumEvents: Int, maximumBytes: Int
  ) throws(TrackingStoreError) -> [TrackingData]

  /// Ends the wait of events that were answered: some delivered, some refused for good.
  ///
  /// An event that is no longer there is not counted twice.
  func resolve(delivered: [TrackingData], deadLettered: [DeadLetter]) throws(TrackingStoreError)

  /// Counts one failed request for each of the events.
  func recordFailedAttempt(_ events: [TrackingData]) throws(TrackingStoreError)

  /// Deletes everything that waits, and counts it as dropped for the given reason. Returns how many events went.
  func deleteAll(reason: DropReason) throws(TrackingStoreError) -> Int

  /// The counters as they stand; `pending` is what this store holds.
  func ledger() throws(TrackingStoreError) -> TrackingLedger

  /// How many bytes wait, counted over the events' bodies. Asked for after each transaction where ``TrackerConfiguration/FlowControl`` has a
  /// size, so it should not read all events, as it does unless implemented.
  func waitingBytes() throws(TrackingStoreError) -> Int

  /// The sequences of the oldest and the newest waiting event; `nil` if none waits.
  func waitingSequences() throws(TrackingStoreError) -> ClosedRange<Int64>?

  /// The ids of everything that waits, oldest first: for tools; takes 16 bytes an event.
  func waitingIDs() throws(TrackingStoreError) -> [EventID]

  /// The dead letters whose bodies are kept, oldest first.
  func deadLetters() throws(TrackingStoreError) -> [DeadLetter]

  /// Puts the chosen dead letters back behind the waiting events, in order. Returns how many.
  func retryDeadLetters(where isChosen: (DeadLetter) -> Bool) throws(TrackingStoreError) -> Int

  /// Puts so many of the newest dead letters that can be sent back before the waiting events, in order: where they
  /// stood. Returns how many. Unless implemented they wait behind the others.
  func putBackDeadLetters(_ count: Int) throws(TrackingStoreError) -> Int

  /// A small value kept across launches, such as the time a server asked to be left alone until.
  func note(_ key: String) throws(TrackingStoreError) -> Int64?

  /// Keeps a small value across launches; `nil` forgets it.
  func setNote(_ key: String, _ value: Int64?) throws(TrackingStoreError)

  /// Nothing is on its way: the time to give back space that is no longer needed. Does nothing unless implemented.
  func rest()
}

extension TrackingDataStore {
  /// Does nothing.
  public func rest() {}

  /// Reads every event that waits.
  public func waitingBytes() throws(TrackingStoreError) -> Int {
    try batch(maximumEvents: .max, maximumBytes: .max).reduce(0) { $0 + $1.body.count }
  }

  /// Puts every dead letter back that can be sent; see ``retryDeadLetters(where:)``.
  public func retryDeadLetters() throws(TrackingStoreError) -> Int {
    try retryDeadLetters(where: \.canBeSent)
  }

  /// Puts them behind the waiting events.
  public func putBackDeadLetters(_ count: Int) throws(TrackingStoreError) -> Int {
    let ids = Set(try deadLetters().filter(\.canBeSent).suffix(max(0, count)).map(\.event.id))
    return try retryDeadLetters { ids.contains($0.event.id) && $0.canBeSent }
  }

  /// The oldest events of all; see ``batch(from:maximumEvents:maximumBytes:)``.
  public func batch(maximumEvents: Int, maximumBytes: Int) throws(TrackingStoreError) -> [TrackingData] {
    try batch(from: .min, maximumEvents: maximumEvents, maximumBytes: maximumBytes)
  }
}
