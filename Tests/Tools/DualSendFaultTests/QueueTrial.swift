import DualSendCore
import DualSendTesting
import DualSendTracking

/// Runs a list of operations on a store and on the reference model side by side.
struct QueueTrial {
  typealias Open = (TrackerConfiguration.Quota, TimeSource) throws -> any TrackingDataStore

  /// Where the store and the model first said different things.
  struct Difference: Error, CustomStringConvertible {
    let description: String
  }

  /// How much larger than in the list the numbers of the operations are.
  struct Size: Sendable {
    /// The factor of the bytes of an event. From 20 on, the store compresses most commits as runs.
    var bytes = 1
    /// The factor of the number of events. From 4 on, many runs are joined.
    var events = 1
  }

  static func quota(_ size: Size) -> TrackerConfiguration.Quota {
    TrackerConfiguration.Quota(
      events: 20 * size.events, bytes: 600 * size.bytes * size.events, age: .seconds(60), deadLetters: 5)
  }

  private let open: Open
  private let clock = ManualClock()
  private var store: any TrackingDataStore
  private let size: Size
  private var model: ReferenceQueue
  private var inFlight: [TrackingData] = []
  private var seconds = 0
  private var made: UInt64 = 0

  /// - Parameter open: opens the same store each time it is called.
  init(_ size: Size, _ open: @escaping Open) throws {
    self.open = open
    self.size = size
    model = ReferenceQueue(quota: Self.quota(size))
    store = try open(Self.quota(size), clock.timeSource)
  }

  /// The first difference that the operations bring to light; `nil` if there is none.
  static func difference(
    _ operations: [QueueOperation], size: Size = Size(), _ open: @escaping Open
  ) throws -> Difference? {
    var trial = try QueueTrial(size, open)
    for operation in operations {
      do { try trial.run(operation) } catch let difference as Difference { return difference }
    }
    return nil
  }

  /// The shortest list that leaving single operations out of a failing one leads to.
  static func shrunk(_ operations: [QueueOperation], isFailing: ([QueueOperation]) throws -> Bool) rethrows
    -> [QueueOperation]
  {
    var smallest = operations
    var index = smallest.count - 1
    while index >= 0 {
      var candidate = smallest
      candidate.remove(at: index)
      if try isFailing(candidate) {
        smallest = candidate
        index = smallest.count
      }
      index -= 1
    }
    return smallest
  }

  private mutating func run(_ operation: QueueOperation) throws {
    switch operation {
    case .append(let count, let bytes, let dropped):
      let events = (0..<count * size.events).map { _ in makeEvent(bytes: bytes * size.bytes) }
      let range = inFlight.first.flatMap { first in inFlight.last.map { first.sequence...$0.sequence } }
      let evicted = try store.append(
        events, dropped: dropped > 0 ? [.inboxFull: dropped] : [:], inFlight: range)
      let expected = model.append(
        events, dropped: dropped, inFlight: Set(inFlight.map(\.sequence)), now: seconds)
      try compare(evicted, expected, "evicted", operation)
    case .batch(let events, let bytes):
      let (events, bytes) = (events * size.events, bytes * size.bytes * size.events)
      inFlight = try store.batch(maximumEvents: events, maximumBytes: bytes)
      try compare(inFlight, model.batch(maximumEvents: events, maximumBytes: bytes), "batch", operation)
    case .resolve(let delivered, let refused):
      let events = inFlight.enumerated()
      let bit = { [size] (bits: UInt64, offset: Int) in bits >> UInt64(offset / size.events) & 1 == 1 }
      let taken = events.filter { bit(delivered, $0.offset) }.map(\.element)
      let letters = events.filter { !bit(delivered, $0.offset) && bit(refused, $0.offset) }.map(\.element)
      try store.resolve(delivered: taken, deadLettered: letters.map { DeadLetter(event: $0, reason: "refused") })
      model.resolve(delivered: taken, refused: letters, now: seconds)
    case .recordFailedAttempt:
      try store.recordFailedAttempt(inFlight)
      model.recordFailedAttempt(inFlight)
    case .deleteAll:
      try compare(try store.deleteAll(reason: .purged), model.deleteAll(), "deleted", operation)
    case .retryDeadLetters:
      try compare(try store.retryDeadLetters(), model.retryDeadLetters(now: seconds), "retried", operation)
    case .wait(let time):
      seconds += time
      clock.advance(by: .seconds(time))
    case .reopen:
      inFlight = []
      store = try open(Self.quota(size), clock.timeSource)
    }
    try compareWhole(after: operation)
  }

  private mutating func makeEvent(bytes: Int) -> TrackingData {
    made += 1
    var generator = SplitMix64(seed: made)
    return TrackingData(
      id: EventID(milliseconds: 0, using: &generator), time: Int64(made), name: "event \(made)",
      body: [UInt8](repeating: UInt8(truncatingIfNeeded: made), count: bytes))
  }

  private func compareWhole(after operation: QueueOperation) throws {
    try compare(try store.ledger(), model.ledger, "ledger", operation)
    try compare(try store.batch(maximumEvents: .max, maximumBytes: .max), model.events, "events", operation)
    try compare(try store.deadLetters().map(\.event.name), model.deadLetters.map(\.name), "dead letters", operation)
    let sequences = model.events.first.flatMap { first in model.events.last.map { first.sequence...$0.sequence } }
    try compare(try store.waitingSequences(), sequences, "waiting sequences", operation)
  }

  private func compare<Value: Equatable>(
    _ found: Value, _ expected: Value, _ what: String, _ operation: QueueOperation
  ) throws {
    if found != expected {
      throw Difference(description: "\(what) after \(operation): expected \(expected), found \(found)")
    }
  }
}
