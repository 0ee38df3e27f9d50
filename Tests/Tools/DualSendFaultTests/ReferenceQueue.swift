import DualSendTracking

/// The queue in the plainest words that say what a store must do: the model that both stores are held against.
struct ReferenceQueue {
  private struct Entry {
    var event: TrackingData
    let storedAt: Int
  }

  let quota: TrackerConfiguration.Quota
  private var entries: [Entry] = []
  private var letters: [Entry] = []
  var deadLetters: [TrackingData] { letters.map(\.event) }
  private var counted = TrackingLedger()
  private var lastSequence: Int64 = 0

  init(quota: TrackerConfiguration.Quota) {
    self.quota = quota
  }

  var ledger: TrackingLedger {
    var ledger = counted
    ledger.pending = entries.count
    return ledger
  }

  var events: [TrackingData] { entries.map(\.event) }

  mutating func append(
    _ events: [TrackingData], dropped: Int, inFlight: Set<Int64>, now: Int
  ) -> [DropReason: Int] {
    for event in events { add(event, now: now) }
    counted.accepted += events.count + dropped
    if dropped > 0 { counted.dropped[.inboxFull, default: 0] += dropped }
    var evicted: [DropReason: Int] = [:]
    while let index = entries.firstIndex(where: { !inFlight.contains($0.event.sequence) }),
      let reason = reasonToEvict(entries[index], now: now)
    {
      entries.remove(at: index)
      evicted[reason, default: 0] += 1
      counted.dropped[reason, default: 0] += 1
    }
    return evicted
  }

  private func reasonToEvict(_ oldest: Entry, now: Int) -> DropReason? {
    if now - oldest.storedAt > Int(quota.age.components.seconds) { return .quotaAge }
    if entries.count > quota.events { return .quotaCount }
    if entries.map(\.event.body.count).reduce(0, +) > quota.bytes { return .quotaBytes }
    return nil
  }

  private mutating func add(_ event: TrackingData, now: Int) {
    lastSequence += 1
    var event = event
    event.sequence = lastSequence
    entries.append(Entry(event: event, storedAt: now))
  }

  func batch(maximumEvents: Int, maximumBytes: Int) -> [TrackingData] {
    var batch: [TrackingData] = []
    for event in events.prefix(maximumEvents) {
      let bytes = (batch + [event]).map(\.body.count).reduce(0, +)
      if bytes > maximumBytes, !batch.isEmpty { break }
      batch.append(event)
    }
    return batch
  }

  mutating func resolve(delivered: [TrackingData], refused: [TrackingData], now: Int) {
    counted.delivered += remove(delivered).count
    let refused = remove(refused)
    counted.deadLettered += refused.count
    guard !refused.isEmpty else { return }
    letters += refused.map { Entry(event: $0, storedAt: now) }
    let kept = letters.suffix(quota.deadLetters).filter { now - $0.storedAt <= Int(quota.age.components.seconds) }
    counted.deadLettersErased += letters.count - kept.count
    letters = kept
  }

  /// Removes those that are there and returns them as they were handed over.
  private mutating func remove(_ events: [TrackingData]) -> [TrackingData] {
    let present = events.filter { event in entries.contains { $0.event.sequence == event.sequence } }
    entries.removeAll { entry in present.contains { $0.sequence == entry.event.sequence } }
    return present
  }

  mutating func recordFailedAttempt(_ events: [TrackingData]) {
    for index in entries.indices where events.contains(where: { $0.sequence == entries[index].event.sequence }) {
      let event = entries[index].event
      entries[index].event = TrackingData(
        sequence: event.sequence, id: event.id, time: event.time, name: event.name, body: event.body,
        attempts: event.attempts + 1)
    }
  }

  mutating func deleteAll() -> Int {
    let count = entries.count + deadLetters.count
    counted.deadLettered -= deadLetters.count
    entries = []
    letters = []
    if count > 0 { counted.dropped[.purged, default: 0] += count }
    return count
  }

  mutating func retryDeadLetters(now: Int) -> Int {
    let events = deadLetters
    letters = []
    counted.deadLettered -= events.count
    for event in events { add(event, now: now) }
    return events.count
  }
}
