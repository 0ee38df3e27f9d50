import DualSendCore

/// Events that are in memory and not committed yet, captured or encoded, and drops that the ledger does not include
/// yet.
struct Intake {
  /// The most events in one transaction. The digest loop runs between two transactions.
  static let chunk = 1000
  /// The most bytes of events in one transaction, but at least one event. The store reserves space for its log by this
  /// limit.
  private static let transactionBytes = 512 << 10

  private let inbox: Inbox
  private let outcomes: OutcomeBroadcaster
  /// The most encoded events kept while the store fails.
  private let stagingLimit: Int
  private var encoder: EventEncoder
  /// The last take from the inbox, and how far it is encoded.
  private var buffer = Inbox.Contents()
  private var position = 0
  /// How many events were taken from the inbox so far.
  private var taken = 0

  /// Encoded events, in order, for the next transaction.
  private(set) var staged: [TrackingData] = []
  /// The drops to count in the next transaction.
  private(set) var drops: [DropReason: Int] = [:]
  /// How many drops are to be reported together with those of the store.
  private var unreported = 0
  /// Whether one of the staged events is urgent.
  private(set) var isUrgent = false

  init(inbox: Inbox, configuration: TrackerConfiguration, outcomes: OutcomeBroadcaster) {
    self.inbox = inbox
    self.outcomes = outcomes
    stagingLimit = max(Self.chunk, configuration.intake.capacity)
    encoder = EventEncoder(maximumBytes: configuration.intake.maximumEventBytes, sink: configuration.sinkID)
  }

  /// Whether there is anything to commit.
  var hasUncommitted: Bool { !staged.isEmpty || !drops.isEmpty }

  /// Whether there are events to encode.
  var hasMore: Bool { hasBuffered || inbox.counts.waiting > 0 }

  /// Whether events of the last take are to be encoded.
  var hasBuffered: Bool { position < buffer.events.count }

  /// Whether events should be committed now.
  var shouldCommitNow: Bool { inbox.shouldCommitNow }

  /// The number of all events so far. Marks this moment: what was logged before has a lower number.
  var mark: Int { inbox.mark }

  /// How many of the events before a mark are not committed. Events leave the memory in their order.
  func uncommitted(before mark: Int) -> Int {
    max(0, mark - taken + buffer.events.count - position + staged.count)
  }

  /// Drops every later event.
  func close() {
    inbox.close()
  }

  /// Encodes the next events, in order, up to the size of one transaction.
  ///
  /// - Returns: `false` if consent was denied since the last call. What was staged and stored before must then be deleted
  ///   before the next call.
  mutating func stageChunk() -> Bool {
    if inbox.isAfterDenial {
      discard(buffer.events.count - position, .consentDenied)
      position = buffer.events.count
    }
    if position == buffer.events.count {
      inbox.take(into: &buffer)
      position = 0
      taken += buffer.events.count + buffer.discarded
      if buffer.isAfterDenial { discard(buffer.dropped.removeValue(forKey: .consentDenied) ?? 0, .consentDenied) }
      for (reason, count) in buffer.dropped { drop(reason, count: count) }
      if buffer.isAfterDenial { return false }
    }
    let end = min(position + Self.chunk, buffer.events.count)
    // By index: an iterator would copy each event, with a retain for every field.
    let events = buffer.events
    for index in position..<end { stage(events[index]) }
    position = end
    return true
  }

  private mutating func stage(_ captured: CapturedEvent) {
    if staged.count >= stagingLimit { return drop(.storeUnavailable) }
    let result = encoder.encode(captured) { [outcomes] in
      outcomes.emit(.valueLeftOut(eventName: captured.name, $0))
    }
    switch result {
    case .encoded(let data):
      staged.append(data)
      if captured.isUrgent { isUrgent = true }
    case .dropped(let reason): drop(reason)
    }
  }

  private mutating func drop(_ reason: DropReason, count: Int = 1) {
    guard count > 0 else { return }
    drops[reason, default: 0] += count
    outcomes.emit(.dropped(reason, count: count))
  }

  /// The oldest staged events, up to the size of one transaction.
  var nextTransaction: [TrackingData] {
    var bytes = 0
    let fitting = staged.prefix(Self.chunk).prefix { event in
      bytes += event.bodyCount
      return bytes <= Self.transactionBytes
    }
    return Array(fitting.isEmpty ? staged.prefix(1) : fitting)
  }

  /// The oldest staged events and the drops were committed.
  mutating func committed(_ count: Int) {
    staged.removeFirst(count)
    drops = [:]
    if staged.isEmpty { isUrgent = false }
  }

  /// Drops every staged event.
  ///
  /// - Returns: how many events this and a denial dropped, which are counted and not reported yet.
  mutating func discardStaged(_ reason: DropReason) -> Int {
    discard(staged.count, reason)
    staged.removeAll()
    defer { unreported = 0 }
    return unreported
  }

  private mutating func discard(_ count: Int, _ reason: DropReason) {
    guard count > 0 else { return }
    drops[reason, default: 0] += count
    unreported += count
  }

  /// Adds what the store's ledger does not include yet.
  func count(into ledger: inout TrackingLedger) {
    let (waiting, dropped) = inbox.counts
    let inMemory = waiting + buffer.events.count - position + staged.count
    ledger.accepted += inMemory
    ledger.pending += inMemory
    for (reason, count) in dropped.merging(drops, uniquingKeysWith: +) {
      ledger.accepted += count
      ledger.dropped[reason, default: 0] += count
    }
  }
}
