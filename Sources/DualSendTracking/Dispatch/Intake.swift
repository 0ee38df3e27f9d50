import DualSendCore

/// What is in memory and not committed yet: captured events, encoded events, and the drops that the ledger does not
/// know of.
struct Intake {
  /// The most events in one transaction; between two of them the digest loop gets its turn.
  static let chunk = 1000
  /// The most bytes of events in one transaction, but one event always: the store keeps room for its log in reserve.
  private static let transactionBytes = 512 << 10

  private let inbox: Inbox
  private let outcomes: OutcomeBroadcaster
  /// While the store fails, no more encoded events than this are kept.
  private let stagingLimit: Int
  private var encoder: EventEncoder
  /// What was last taken from the inbox, and how far into it events are encoded.
  private var buffer = Inbox.Contents()
  private var position = 0

  /// Encoded events, in order, for the next transaction …
  private(set) var staged: [TrackingData] = []
  /// … and the drops that it counts with them.
  private(set) var drops: [DropReason: Int] = [:]
  /// Whether one of the staged events does not wait for others.
  private(set) var isUrgent = false

  init(inbox: Inbox, configuration: TrackerConfiguration, outcomes: OutcomeBroadcaster) {
    self.inbox = inbox
    self.outcomes = outcomes
    stagingLimit = max(Self.chunk, configuration.inboxCapacity)
    encoder = EventEncoder(maximumBytes: configuration.maximumEventBytes, sink: configuration.sinkID)
  }

  /// Whether there is something for a transaction.
  var hasUncommitted: Bool { !staged.isEmpty || !drops.isEmpty }

  /// Whether events wait that are not encoded yet.
  var hasMore: Bool { position < buffer.events.count || inbox.counts.waiting > 0 }

  /// Whether events wait that should not wait for more.
  var isPressing: Bool { inbox.isPressing }

  /// How many events would be lost if the process ended now.
  var count: Int { inbox.counts.waiting + buffer.events.count - position + staged.count }

  /// Turns away every later event.
  func close() {
    inbox.close()
  }

  /// Encodes the next events, in order, as many as one transaction takes.
  ///
  /// - Parameter isDenied: whether the user refused to be tracked; then they are dropped.
  mutating func stageChunk(isDenied: Bool) {
    if position == buffer.events.count {
      inbox.take(into: &buffer)
      position = 0
      for (reason, count) in buffer.turnedAway { drop(reason, count: count) }
    }
    let end = min(position + Self.chunk, buffer.events.count)
    // By index: an iterator would copy each event, with a retain for every field.
    let events = buffer.events
    if !isDenied, staged.count < stagingLimit {
      for index in position..<end { encoder.prepare(events[index]) }
    }
    for index in position..<end {
      if isDenied { drop(.consentDenied) } else { stage(events[index]) }
    }
    position = end
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

  /// The oldest staged events, as many as one transaction takes.
  var nextTransaction: [TrackingData] {
    var bytes = 0
    let fitting = staged.prefix(Self.chunk).prefix { event in
      bytes += event.body.count
      return bytes <= Self.transactionBytes
    }
    return Array(fitting.isEmpty ? staged.prefix(1) : fitting)
  }

  /// The oldest staged events are committed, and the drops with them.
  mutating func committed(_ count: Int) {
    staged.removeFirst(count)
    drops = [:]
    if staged.isEmpty { isUrgent = false }
  }

  /// Drops every staged event.
  mutating func discardStaged(_ reason: DropReason) {
    let count = staged.count
    staged.removeAll()
    drop(reason, count: count)
  }

  /// Adds what the store's ledger does not know of yet.
  func count(into ledger: inout TrackingLedger) {
    let (waiting, turnedAway) = inbox.counts
    let inMemory = waiting + buffer.events.count - position + staged.count
    ledger.accepted += inMemory
    ledger.pending += inMemory
    for (reason, count) in turnedAway.merging(drops, uniquingKeysWith: +) {
      ledger.accepted += count
      ledger.dropped[reason, default: 0] += count
    }
  }
}
