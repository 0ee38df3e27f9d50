import DualSendCore

/// The dispatcher's state of the stored events: how many are pending and since when, which are in flight, which batch
/// was read ahead, and which responses could not be recorded yet.
///
/// Does not access the store. The dispatcher reports each change; all times are uptimes.
struct DeliveryQueue {
  /// How many events are stored. May be too low while a request is in flight, because a purge and the response both
  /// count off the same events; ``loopEnded(stored:)`` corrects it. Never negative.
  private(set) var count = 0
  /// Whether an urgent event is pending.
  private(set) var isUrgent = false
  /// The events of the request that is under way.
  private(set) var inFlight: ClosedRange<Int64>?
  /// When the oldest stored event started to wait in this process; `nil` if there is none.
  private var waitingSince: Duration?
  /// The batch after the one in flight. Must be dropped when other code removes events from the store or changes the
  /// endpoint.
  private var following: ReadyBatch?
  /// Responses that the store could not record, oldest first. Their events must not be read again before they are
  /// recorded.
  private var unrecorded: [Resolution] = []

  /// Whether nothing is to be sent or recorded.
  var isEmpty: Bool { count == 0 && unrecorded.isEmpty }

  /// Whether responses are still to be recorded.
  var hasUnrecordedAnswers: Bool { !unrecorded.isEmpty }

  /// When delivery starts if no more events arrive; `nil` if it does not start by itself.
  func due(by rule: TrackerConfiguration.FlowControl, bytes: Int, at now: Duration) -> Duration? {
    if isUrgent || hasUnrecordedAnswers { return now }
    return rule.moment(events: count, bytes: bytes, waitingSince: waitingSince ?? now)
  }

  // MARK: The store

  /// A store was opened.
  ///
  /// - Parameter since: the uptime from which its events count as waiting.
  mutating func opened(holding stored: Int, waitingSince since: Duration) {
    count = stored
    waitingSince = stored > 0 ? since : nil
  }

  /// The store is about to be replaced. Sequences of the new store belong to other events, and responses that were not
  /// recorded are lost.
  mutating func storeLost() {
    following = nil
    inFlight = nil
    unrecorded = []
  }

  /// Events were stored, and others evicted by the quota.
  mutating func stored(_ added: Int, evicted: Int = 0, at now: Duration) {
    if count == 0, added > 0 { waitingSince = now }
    count = max(0, count + added - evicted)
    if evicted > 0 { following = nil }
  }

  /// Deletes all events with the closure, which returns their number.
  mutating func deleteAll(
    _ delete: () throws(TrackingStoreError) -> Int
  ) throws(TrackingStoreError) -> Int {
    following = nil
    let deleted = try delete()
    count = 0
    return deleted
  }

  /// No event is pending. The next wait starts when an event is stored.
  mutating func becameIdle() {
    waitingSince = nil
    isUrgent = false
  }

  /// An urgent event was stored.
  mutating func markUrgent() {
    isUrgent = true
  }

  // MARK: Delivery

  /// A batch is about to be sent.
  mutating func began(_ batch: ReadyBatch) {
    inFlight = batch.sequences
  }

  /// All requests of the batch are over.
  mutating func ended() {
    inFlight = nil
  }

  /// Events of the batch in flight were delivered or dead-lettered.
  mutating func answered(_ events: Int) {
    count = max(0, count - events)
  }

  /// The batch that was read ahead is not the next one any more.
  mutating func discardReadAhead() {
    following = nil
  }

  /// The store turned out to be empty.
  mutating func foundEmpty() {
    count = 0
    isUrgent = false
  }

  /// The digest loop ended. The next loop reads the batch again.
  ///
  /// - Parameter stored: the store's count; `nil` if it cannot be read.
  mutating func loopEnded(stored: Int?) {
    if let stored { count = stored }
    following = nil
  }

  // MARK: Reading ahead

  /// Whether at least as many events are pending after the batch as it has itself, so that preparing the next batch
  /// pays.
  func wantsReadAhead(of batch: ReadyBatch) -> Bool {
    count >= 2 * batch.events.count
  }

  /// Keeps the next batch.
  mutating func readAhead(_ batch: ReadyBatch?) {
    following = batch
  }

  /// Removes and returns the batch that was read ahead, if it is still valid.
  mutating func takeReadAhead() -> ReadyBatch? {
    defer { following = nil }
    return following
  }

  // MARK: Unrecorded responses

  /// The store failed to record a response.
  mutating func keepUnrecorded(_ answer: Resolution) {
    unrecorded.append(answer)
  }

  /// Records the pending responses in order. Stops at the first failure.
  mutating func recordKeptAnswers(
    _ record: (Resolution) throws(TrackingStoreError) -> Void
  ) throws(TrackingStoreError) {
    while let answer = unrecorded.first {
      try record(answer)
      unrecorded.removeFirst()
    }
  }
}

/// The result for a part of a batch: the events to delete, and how to count them.
struct Resolution: Sendable {
  var delivered: [TrackingData] = []
  var deadLettered: [DeadLetter] = []
}

extension Resolution {
  /// - Parameter rejected: the refused events and the reasons.
  init(of part: [TrackingData], rejected: [EventID: String]) {
    // The common case, without lookups.
    guard !rejected.isEmpty else {
      self.init(delivered: part)
      return
    }
    self.init(
      delivered: part.filter { rejected[$0.id] == nil },
      deadLettered: part.compactMap { event in rejected[event.id].map { DeadLetter(event: event, reason: $0) } })
  }
}

extension TrackingDataStore {
  func record(_ resolution: Resolution) throws(TrackingStoreError) {
    try resolve(delivered: resolution.delivered, deadLettered: resolution.deadLettered)
  }
}
