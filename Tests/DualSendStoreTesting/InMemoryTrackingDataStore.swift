package import DualSendCore
package import DualSendTracking

/// A store of arrays, to compare another store with. Trackers keep events in memory with `StoreLocation.memory`, which is a
/// database like that on disk.
///
/// Meets every requirement of `TrackingDataStore` except persistence.
package final class InMemoryTrackingDataStore: TrackingDataStore {
  fileprivate struct Entry: Sendable {
    var event: TrackingData
    let storedAt: Int64
  }

  fileprivate struct State: Sendable {
    var entries: ArraySlice<Entry> = []
    var bytes = 0
    var lastSequence: Int64 = 0
    var ledger = TrackingLedger()
    var deadLetters: ArraySlice<(letter: DeadLetter, storedAt: Int64)> = []
    var notes: [String: Int64] = [:]
  }

  private let quota: TrackerConfiguration.Quota
  private let clock: AgeClock
  private let state = Locked(State())

  /// Creates an empty store.
  package init(quota: TrackerConfiguration.Quota = TrackerConfiguration.Quota(), time: TimeSource = .system) {
    self.quota = quota
    clock = AgeClock(time: time, age: nil, wall: nil)
  }

  /// See `TrackingDataStore.append(_:dropped:inFlight:)`.
  package func append(_ events: [TrackingData], dropped: [DropReason: Int], inFlight: ClosedRange<Int64>?)
    -> [DropReason: Int]
  {
    let now = clock.now()
    return state.withLock { state in
      for event in events { state.append(event, storedAt: now) }
      state.ledger.accepted += events.count
      for (reason, count) in dropped {
        state.ledger.accepted += count
        state.ledger.dropped[reason, default: 0] += count
      }
      return evict(from: &state, inFlight: inFlight, now: now)
    }
  }

  private func evict(from state: inout State, inFlight: ClosedRange<Int64>?, now: Int64) -> [DropReason: Int] {
    let oldestAllowed = now - quota.age.inMilliseconds
    var kept: ArraySlice<Entry> = []
    var evicted: [DropReason: Int] = [:]
    while let oldest = state.entries.first {
      if inFlight?.contains(oldest.event.sequence) ?? false {
        kept.append(oldest)
        state.entries.removeFirst()
        continue
      }
      let reason: DropReason
      if oldest.storedAt < oldestAllowed {
        reason = .quotaAge
      } else if state.entries.count + kept.count > quota.events {
        reason = .quotaCount
      } else if state.bytes > quota.bytes {
        reason = .quotaBytes
      } else {
        break
      }
      state.entries.removeFirst()
      state.bytes -= oldest.event.body.count
      evicted[reason, default: 0] += 1
    }
    if !kept.isEmpty { state.entries = kept + state.entries }
    state.ledger.dropped.merge(evicted, uniquingKeysWith: +)
    return evicted
  }

  /// See `TrackingDataStore.batch(from:maximumEvents:maximumBytes:)`.
  package func batch(from sequence: Int64, maximumEvents: Int, maximumBytes: Int) -> [TrackingData] {
    state.withLock { state in
      let waiting = state.entries.drop { $0.event.sequence < sequence }
      var bytes = 0
      let fitting = waiting.prefix(max(1, maximumEvents)).prefix { entry in
        bytes += entry.event.body.count
        return bytes <= maximumBytes
      }
      return (fitting.isEmpty ? waiting.prefix(1) : fitting).map(\.event)
    }
  }

  /// See `TrackingDataStore.resolve(delivered:deadLettered:)`.
  package func resolve(delivered: [TrackingData], deadLettered: [DeadLetter]) {
    let now = clock.now()
    state.withLock { state in
      state.ledger.delivered += state.remove(Set(delivered.map(\.sequence))).count
      let present = state.remove(Set(deadLettered.map(\.event.sequence)))
      state.ledger.deadLettered += present.count
      guard !present.isEmpty else { return }
      state.deadLetters += deadLettered.filter { present.contains($0.event.sequence) }.map { ($0, now) }
      let count = state.deadLetters.count
      state.deadLetters = state.deadLetters.suffix(quota.deadLetters)
      state.deadLetters.removeAll { $0.storedAt < now - quota.age.inMilliseconds }
      state.ledger.deadLettersErased += count - state.deadLetters.count
    }
  }

  /// See `TrackingDataStore.recordFailedAttempt(_:)`.
  package func recordFailedAttempt(_ events: [TrackingData]) {
    let failed = Set(events.map(\.sequence))
    state.withLock { state in
      for index in state.entries.indices where failed.contains(state.entries[index].event.sequence) {
        state.entries[index].event = state.entries[index].event.failedOnceMore
      }
    }
  }

  /// See `TrackingDataStore.deleteAll(reason:)`.
  package func deleteAll(reason: DropReason) -> Int {
    state.withLock { state in
      let count = state.entries.count + state.deadLetters.count
      state.ledger.deadLettered -= state.deadLetters.count
      state.entries = []
      state.deadLetters = []
      state.bytes = 0
      if count > 0 { state.ledger.dropped[reason, default: 0] += count }
      return count
    }
  }

  /// See `TrackingDataStore.ledger()`.
  package func ledger() -> TrackingLedger {
    state.withLock { state in
      var ledger = state.ledger
      ledger.pending = state.entries.count
      return ledger
    }
  }

  /// See `TrackingDataStore.waitingBytes()`.
  package func waitingBytes() -> Int {
    state.withLock { $0.bytes }
  }

  /// See `TrackingDataStore.waitingSequences()`.
  package func waitingSequences() -> ClosedRange<Int64>? {
    state.withLock { state in
      guard let first = state.entries.first, let last = state.entries.last else { return nil }
      return first.event.sequence...last.event.sequence
    }
  }

  /// See `TrackingDataStore.waitingIDs()`.
  package func waitingIDs() -> [EventID] {
    state.withLock { $0.entries.map(\.event.id) }
  }

  /// See `TrackingDataStore.deadLetters()`.
  package func deadLetters() -> [DeadLetter] {
    state.withLock { $0.deadLetters.map(\.letter) }
  }

  /// See `TrackingDataStore.retryDeadLetters(where:)`.
  package func retryDeadLetters(where isChosen: (DeadLetter) -> Bool) -> Int {
    let now = clock.now()
    return state.withLock { state in
      let letters = state.deadLetters.map(\.letter).filter(isChosen)
      state.deadLetters.removeAll { isChosen($0.letter) }
      for letter in letters { state.append(letter.event, storedAt: now) }
      state.ledger.deadLettered -= letters.count
      return letters.count
    }
  }

  /// See `TrackingDataStore.note(_:)`.
  package func note(_ key: String) -> Int64? {
    state.withLock { $0.notes[key] }
  }

  /// See `TrackingDataStore.setNote(_:_:)`.
  package func setNote(_ key: String, _ value: Int64?) {
    state.withLock { $0.notes[key] = value }
  }
}

extension InMemoryTrackingDataStore.State {
  mutating func append(_ event: TrackingData, storedAt: Int64) {
    lastSequence += 1
    var event = event
    event.sequence = lastSequence
    entries.append(InMemoryTrackingDataStore.Entry(event: event, storedAt: storedAt))
    bytes += event.body.count
  }

  /// Removes events and returns the sequences that were present.
  mutating func remove(_ sequences: Set<Int64>) -> Set<Int64> {
    guard !sequences.isEmpty else { return [] }
    var present: Set<Int64> = []
    entries.removeAll { entry in
      guard sequences.contains(entry.event.sequence) else { return false }
      present.insert(entry.event.sequence)
      bytes -= entry.event.body.count
      return true
    }
    return present
  }
}

extension TrackingData {
  /// The same event with one more failed request.
  var failedOnceMore: TrackingData {
    TrackingData(sequence: sequence, id: id, time: time, name: name, body: body, attempts: attempts + 1)
  }
}
