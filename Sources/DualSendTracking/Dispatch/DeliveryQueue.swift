import DualSendCore

/// What the dispatcher knows of the events in the store: how many wait and since when, which of them are on their way,
/// which were read ahead, and which answers the store has not recorded yet.
///
/// It does not touch the store. The dispatcher tells it what happened there; all times are uptimes.
struct DeliveryQueue {
  /// How many events are stored. While a request is under way, it may be too low, because a purge counts off the events
  /// of the request and their answer does so again; ``loopEnded(stored:)`` puts it right. Never negative.
  private(set) var count = 0
  /// Whether an event waits that does not wait for others.
  private(set) var isUrgent = false
  /// The events of the request that is under way.
  private(set) var inFlight: ClosedRange<Int64>?
  /// Since when the oldest stored event waits in this process; `nil` if none waits.
  private var waitingSince: Duration?
  /// The batch behind the one in flight. Whatever else takes events from the store, or changes where they go, must
  /// drop it.
  private var following: ReadyBatch?
  /// Answers that the store could not record, oldest first. Their events must not be read again before they are.
  private var unrecorded: [Resolution] = []

  /// Whether there is nothing to send and nothing to record.
  var isEmpty: Bool { count == 0 && unrecorded.isEmpty }

  /// Whether answers wait to be recorded.
  var owesAnswers: Bool { !unrecorded.isEmpty }

  /// When delivery starts by the rule if no more events come; `nil`: not by itself.
  func due(by rule: TrackerConfiguration.FlowControl, bytes: Int, at now: Duration) -> Duration? {
    if isUrgent || owesAnswers { return now }
    return rule.moment(events: count, bytes: bytes, waitingSince: waitingSince ?? now)
  }

  // MARK: What happens to the store

  /// A store was opened.
  ///
  /// - Parameter since: since when its events count as waiting.
  mutating func opened(holding stored: Int, waitingSince since: Duration) {
    count = stored
    waitingSince = stored > 0 ? since : nil
  }

  /// The store is about to be replaced. What is known of its events holds for no other store, where the same sequences
  /// are other events; an answer that it did not record is lost with it.
  mutating func storeLost() {
    following = nil
    inFlight = nil
    unrecorded = []
  }

  /// Events were stored, and the quota pushed others out.
  mutating func stored(_ added: Int, evicted: Int = 0, at now: Duration) {
    if count == 0, added > 0 { waitingSince = now }
    count = max(0, count + added - evicted)
    if evicted > 0 { following = nil }
  }

  /// Deletes everything by the given closure, which returns how many events it deleted.
  mutating func deleteAll(
    _ delete: () throws(TrackingStoreError) -> Int
  ) throws(TrackingStoreError) -> Int {
    following = nil
    let deleted = try delete()
    count = 0
    return deleted
  }

  /// Nothing waits: the next event's wait begins when it is stored.
  mutating func rest() {
    waitingSince = nil
    isUrgent = false
  }

  /// Events were stored that do not wait for others.
  mutating func hurry() {
    isUrgent = true
  }

  // MARK: What happens on the way

  /// A batch goes out.
  mutating func began(_ batch: ReadyBatch) {
    inFlight = batch.sequences
  }

  /// The request, with all its parts, is over.
  mutating func ended() {
    inFlight = nil
  }

  /// So many events of the request under way were answered for good.
  mutating func answered(_ events: Int) {
    count = max(0, count - events)
  }

  /// Batches go to another endpoint now; what was made ready is meant for the old one.
  mutating func endpointChanged() {
    following = nil
  }

  /// The store was read and holds nothing.
  mutating func foundEmpty() {
    count = 0
    isUrgent = false
  }

  /// The digest loop ended; what was read ahead is read again when the loop begins again.
  ///
  /// - Parameter stored: what the store counts; `nil` if it cannot be asked.
  mutating func loopEnded(stored: Int?) {
    if let stored { count = stored }
    following = nil
  }

  // MARK: Reading ahead

  /// Whether as many events wait behind the batch as it has itself, so that it pays to make the next one ready.
  func wantsReadAhead(of batch: ReadyBatch) -> Bool {
    count >= 2 * batch.events.count
  }

  /// Keeps the batch that goes next.
  mutating func readAhead(_ batch: ReadyBatch?) {
    following = batch
  }

  /// The batch that was read ahead, if it still stands.
  mutating func takeReadAhead() -> ReadyBatch? {
    defer { following = nil }
    return following
  }

  // MARK: Answers not recorded

  /// The store failed to record an answer.
  mutating func owe(_ answer: Resolution) {
    unrecorded.append(answer)
  }

  /// Records the answers that are owed, in order; stops at the first that fails.
  mutating func settleAnswers(
    _ record: (Resolution) throws(TrackingStoreError) -> Void
  ) throws(TrackingStoreError) {
    while let answer = unrecorded.first {
      try record(answer)
      unrecorded.removeFirst()
    }
  }
}
