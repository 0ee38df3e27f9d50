import DualSendCore
package import DualSendTracking

/// The conformance suite of `TrackingDataStore`: a check for each requirement.
///
/// ```swift
/// @Test(arguments: TrackingDataStoreConformance.checks)
/// func myStore(check: TrackingDataStoreConformance.Check) throws {
///   try check.run { quota in MyStore(quota: quota) }
/// }
/// ```
package enum TrackingDataStoreConformance {
  /// One check.
  package struct Check: Sendable, CustomStringConvertible {
    /// The requirement.
    package let description: String
    private let body: @Sendable (MakeStore) throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (MakeStore) throws -> Void) {
      self.description = description
      self.body = body
    }

    /// Runs the check on new stores.
    ///
    /// - Parameter makeStore: creates an empty store with the given quota.
    /// - Throws: ``Violation``, or an error of the store.
    package func run(_ makeStore: @escaping MakeStore) throws {
      try body(makeStore)
    }
  }

  /// Creates an empty store with the given quota.
  package typealias MakeStore = (TrackerConfiguration.Quota) throws -> any TrackingDataStore

  /// A requirement that a store does not meet.
  package struct Violation: Error, CustomStringConvertible {
    /// The expected and the actual value.
    package let description: String
  }

  /// All checks.
  package static let checks: [Check] = [
    Check("a batch has the oldest events in order") { make in
      let store = try make(TrackerConfiguration.Quota())
      try store.fill(0..<5)
      try expect(store.names(3), ["0", "1", "2"])
    },
    Check("a batch stays within its bytes, but has at least one event") { make in
      let store = try make(TrackerConfiguration.Quota())
      try store.fill(0..<3, bytes: 100)
      try expect(try store.batch(maximumEvents: 10, maximumBytes: 250).count, 2)
      try expect(try store.batch(maximumEvents: 10, maximumBytes: 1).count, 1)
    },
    Check("a batch can start after another one") { make in
      let store = try make(TrackerConfiguration.Quota())
      try store.fill(0..<5)
      let first = try store.batch(maximumEvents: 2, maximumBytes: .max)
      let second = try store.batch(from: first[1].sequence + 1, maximumEvents: 2, maximumBytes: .max)
      try expect(second.map(\.name), ["2", "3"])
      try expect(try store.batch(from: second[1].sequence + 2, maximumEvents: 2, maximumBytes: .max).count, 0)
    },
    Check("an empty store has no batch and no sequences") { make in
      let store = try make(TrackerConfiguration.Quota())
      try expect(store.names(10), [])
      try expect(try store.waitingSequences(), nil)
    },
    Check("the sequences and ids of pending events are those of a batch") { make in
      let store = try make(TrackerConfiguration.Quota())
      try store.fill(0..<3)
      let batch = try store.batch(maximumEvents: 3, maximumBytes: .max)
      try expect(try store.waitingSequences(), batch[0].sequence...batch[2].sequence)
      try expect(try store.waitingIDs(), batch.map(\.id))
    },
    Check("resolving deletes exactly the answered events") { make in
      let store = try make(TrackerConfiguration.Quota())
      try store.fill(0..<5)
      let batch = try store.batch(maximumEvents: 5, maximumBytes: .max)
      try store.resolve(delivered: [batch[0], batch[2]], deadLettered: [DeadLetter(event: batch[3], reason: "bad")])
      try expect(store.names(10), ["1", "4"])
      try expect(try store.deadLetters().map(\.reason), ["bad"])
      try expect(try store.ledger(), TrackingLedger(accepted: 5, delivered: 2, deadLettered: 1, pending: 2))
    },
    Check("resolving the same events twice counts them once") { make in
      let store = try make(TrackerConfiguration.Quota())
      try store.fill(0..<2)
      let batch = try store.batch(maximumEvents: 5, maximumBytes: .max)
      try store.resolve(delivered: batch, deadLettered: [])
      try store.resolve(delivered: batch, deadLettered: batch.map { DeadLetter(event: $0, reason: "late") })
      try expect(try store.ledger(), TrackingLedger(accepted: 2, delivered: 2))
    },
    Check("a sequence is never used twice") { make in
      let store = try make(TrackerConfiguration.Quota())
      try store.fill(0..<2)
      let first = try store.batch(maximumEvents: 5, maximumBytes: .max)
      try store.resolve(delivered: first, deadLettered: [])
      try store.fill(2..<3)
      let second = try store.batch(maximumEvents: 5, maximumBytes: .max)
      try expect(Set(first.map(\.sequence)).isDisjoint(with: second.map(\.sequence)), true)
    },
    Check("beyond the event quota, the oldest events are evicted and counted") { make in
      let store = try make(TrackerConfiguration.Quota(events: 3))
      try store.fill(0..<5)
      try expect(store.names(10), ["2", "3", "4"])
      try expect(try store.ledger(), TrackingLedger(accepted: 5, dropped: [.quotaCount: 2], pending: 3))
    },
    Check("beyond the byte quota, the oldest events are evicted and counted") { make in
      let store = try make(TrackerConfiguration.Quota(bytes: 250))
      try store.fill(0..<4, bytes: 100)
      try expect(store.names(10), ["2", "3"])
      try expect(try store.ledger().dropped, [.quotaBytes: 2])
    },
    Check("events in flight are not evicted") { make in
      let store = try make(TrackerConfiguration.Quota(events: 3))
      try store.fill(0..<3)
      let inFlight = try store.batch(maximumEvents: 2, maximumBytes: .max)
      try store.fill(3..<5, inFlight: inFlight[0].sequence...inFlight[1].sequence)
      try expect(store.names(10), ["0", "1", "4"])
    },
    Check("drops that never reached the store also count as accepted") { make in
      let store = try make(TrackerConfiguration.Quota())
      _ = try store.append([], dropped: [.inboxFull: 3, .tooLarge: 1], inFlight: nil)
      try expect(try store.ledger(), TrackingLedger(accepted: 4, dropped: [.inboxFull: 3, .tooLarge: 1]))
    },
    Check("deleting all events counts them under the reason") { make in
      let store = try make(TrackerConfiguration.Quota())
      try store.fill(0..<3)
      try expect(try store.deleteAll(reason: .purged), 3)
      try expect(try store.ledger(), TrackingLedger(accepted: 3, dropped: [.purged: 3]))
    },
    Check("a failed attempt is counted only on its events") { make in
      let store = try make(TrackerConfiguration.Quota())
      try store.fill(0..<3)
      try store.recordFailedAttempt(try store.batch(maximumEvents: 2, maximumBytes: .max))
      try expect(try store.batch(maximumEvents: 3, maximumBytes: .max).map(\.attempts), [1, 1, 0])
    },
    Check("dead letters beyond the limit lose their bodies, oldest first, but stay counted") { make in
      let store = try make(TrackerConfiguration.Quota(deadLetters: 2))
      try store.fill(0..<3)
      let batch = try store.batch(maximumEvents: 3, maximumBytes: .max)
      try store.resolve(delivered: [], deadLettered: batch.map { DeadLetter(event: $0, reason: "bad") })
      try expect(try store.deadLetters().map(\.event.name), ["1", "2"])
      try expect(try store.ledger(), TrackingLedger(accepted: 3, deadLettered: 3, deadLettersErased: 1))
    },
    Check("everything that is deleted is gone, dead letters too, and counted once") { make in
      let store = try make(TrackerConfiguration.Quota())
      try store.fill(0..<4)
      let batch = try store.batch(maximumEvents: 2, maximumBytes: .max)
      try store.resolve(delivered: [batch[0]], deadLettered: [DeadLetter(event: batch[1], reason: "bad")])
      try expect(try store.deleteAll(reason: .consentDenied), 3)
      try expect(try store.deadLetters().count, 0)
      try expect(try store.retryDeadLetters(), 0)
      try expect(try store.ledger(), TrackingLedger(accepted: 4, delivered: 1, dropped: [.consentDenied: 3]))
    },
    Check("retried dead letters go to the end of the queue") { make in
      let store = try make(TrackerConfiguration.Quota())
      try store.fill(0..<2)
      let batch = try store.batch(maximumEvents: 1, maximumBytes: .max)
      try store.resolve(delivered: [], deadLettered: [DeadLetter(event: batch[0], reason: "bad")])
      try expect(try store.retryDeadLetters(), 1)
      try expect(store.names(10), ["1", "0"])
      try expect(try store.ledger(), TrackingLedger(accepted: 2, pending: 2))
      try expect(try store.deadLetters(), [])
    },
    Check("only the chosen dead letters are retried") { make in
      let store = try make(TrackerConfiguration.Quota())
      try store.fill(0..<3)
      let batch = try store.batch(maximumEvents: 3, maximumBytes: .max)
      try store.resolve(delivered: [], deadLettered: batch.map { DeadLetter(event: $0, reason: "no \($0.name)") })
      try expect(try store.retryDeadLetters { $0.reason == "no 1" }, 1)
      try expect(store.names(10), ["1"])
      try expect(try store.deadLetters().map(\.event.name), ["0", "2"])
      try expect(try store.ledger(), TrackingLedger(accepted: 3, deadLettered: 2, pending: 1))
    },
    Check("freeing space loses no events") { make in
      let store = try make(TrackerConfiguration.Quota())
      try store.fill(0..<2)
      store.reclaimSpace()
      try expect(store.names(10), ["0", "1"])
    },
    Check("a note is kept until it is deleted") { make in
      let store = try make(TrackerConfiguration.Quota())
      try store.setNote("key", 7)
      try store.setNote("key", 8)
      try expect(try store.note("key"), 8)
      try store.setNote("key", nil)
      try expect(try store.note("key"), nil)
    },
  ]

  private static func expect<Value: Equatable>(_ found: Value, _ expected: Value) throws {
    if found != expected { throw Violation(description: "expected \(expected), found \(found)") }
  }
}

extension TrackingDataStore {
  fileprivate func fill(_ numbers: Range<Int>, bytes: Int = 2, inFlight: ClosedRange<Int64>? = nil) throws {
    var generator = EventIDGenerator()
    let events = numbers.map { number in
      TrackingData(
        id: EventID(milliseconds: 0, using: &generator), time: 0, name: String(number),
        body: [UInt8](repeating: UInt8(ascii: "x"), count: bytes))
    }
    _ = try append(events, dropped: [:], inFlight: inFlight)
  }

  fileprivate func names(_ count: Int) throws -> [String] {
    try batch(maximumEvents: count, maximumBytes: .max).map(\.name)
  }
}
