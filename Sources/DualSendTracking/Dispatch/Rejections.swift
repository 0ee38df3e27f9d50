/// Tells invalid events from a collector that refuses everything.
///
/// - A refused batch is searched for the invalid event: half as many events are sent, then a half of the rest, until one stands
///   alone. A failure does not lose the place, and neither does a relaunch.
/// - An event that is refused alone is kept and passed over. It becomes a dead letter only if it is refused again after the
///   collector has accepted another event in between. A collector that refuses everything therefore destroys nothing.
///
/// - A status that normally means the server may be one event's fault too: a gateway that refuses one text, a collector that one
///   event makes fail. After a few equal failures of the same batch, the same search begins, with the pauses between its
///   requests. If single events fail all alike, it is the server, and nothing becomes a dead letter.
///
/// An invalid event in a batch of n costs at most log2(n) + 4 answered requests; requests without an answer add to that.
struct Rejections: Sendable {
  /// What to do with an event that was refused alone.
  enum Verdict: Sendable, Hashable {
    /// The event is invalid.
    case deadLetter
    /// Keep the event, and continue after it.
    case passOver
  }

  /// What a failed request says about its events.
  enum Suspicion: Sendable, Hashable {
    /// Nothing: the server fails.
    case none
    /// One of them may be at fault.
    case oneOfThem
    /// The event may be at fault.
    case theEvent
  }

  private static let firstLimit = 20
  /// The most requests that are refused in a row before a pause.
  private static let highestLimit = 320
  /// After this many equal failures of a batch in a row, an event may be at fault; and after this many of single events, the
  /// server is. A status after which the same batch was accepted says less: then it takes more failures.
  private static let (suspicious, suspiciousIfTemporary) = (3, 12)

  /// How many requests were accepted.
  private var acceptances = 0
  /// Counts the attempts to send all events, from the oldest on.
  private var round = 0
  /// The events that were refused alone: how many requests had been accepted before the last refusal that counts, the round of
  /// the last refusal, and how many count, because another event was accepted in between.
  private var refused: [EventID: (acceptances: Int, round: Int, times: Int)] = [:]
  /// The highest sequence of these.
  private var newest = Int64.min
  /// The newest event that was passed over since a request was accepted; `nil` if none was.
  private var passedUpTo: Int64?
  /// Whether the oldest event is tried before the one after those that were passed over: after a pause and a relaunch, so
  /// that a collector that works again gets all events in order.
  private var triesOldest = false
  /// How many events were refused since a request was accepted or delivery paused.
  private var inARow = 0
  /// Delivery pauses at this number. Doubled at each pause, so that a long row of invalid events is passed in the end.
  private var limit = firstLimit
  /// While an invalid event is searched: how many events it may be among, the last of these, and how many to send.
  private var search: (among: Int, end: Int64, size: Int, keepsSize: Bool)?
  /// Equal failures of a batch, by its first event.
  private var failing: (first: Int64, times: Int, reason: String?)?
  /// How many single events failed since a request was accepted.
  private var aloneInARow = 0
  /// The status for which an event is searched.
  private var suspected: String?
  /// How many more failures it takes since the server was found to be at fault.
  private var patience = 1
  /// The statuses for which an event was found, and those that went by themselves.
  private var (confirmed, temporary): (Set<String>, Set<String>) = ([], [])
  /// How many requests of the search failed, for its growing pauses.
  private(set) var searchFailures = 0
  private var saved: [Int64?] = Array(repeating: nil, count: notes.count)

  /// Why the last event was refused.
  private(set) var reason = ""
  /// Until this uptime, the refused events are not sent again unless another one is accepted.
  private(set) var restsUntil: Duration?

  /// How many events were refused and are kept.
  var count: Int { refused.count }

  /// Whether nothing is searched or kept.
  var isEmpty: Bool { refused.isEmpty && passedUpTo == nil && search == nil }

  // MARK: Reading

  /// The lowest sequence of the next batch.
  var start: Int64 {
    guard let passedUpTo, passedUpTo < .max, !triesOldest else { return .min }
    return passedUpTo + 1
  }

  /// The most events of the next batch: single events while none was accepted.
  var maximumEvents: Int { passedUpTo == nil ? search?.size ?? .max : 1 }

  /// The events to send of those that were read: a refused one alone, if another event has been accepted since, otherwise
  /// those that were not refused in this round.
  ///
  /// - Parameter areOldest: whether no older events are stored.
  mutating func choose(from events: [TrackingData], areOldest: Bool) -> [TrackingData] {
    guard !refused.isEmpty, !(areOldest && triesOldest) else { return events }
    // Those that were refused have left the store.
    if areOldest, events.first.map({ $0.sequence > newest }) ?? true { refused.removeAll() }
    let again = events.first { refused[$0.id].map { $0.acceptances < acceptances } ?? false }
    if let again { return [again] }
    return events.filter { refused[$0.id]?.round != round }
  }

  /// No event is left after those that were passed over.
  ///
  /// - Returns: whether to read again from the oldest event at once, because its refusal was seen by an earlier launch only.
  mutating func reachedEnd(restingUntil moment: Duration) -> Bool {
    if refused.isEmpty {
      defer { passedUpTo = nil }
      return passedUpTo != nil
    }
    restsUntil = moment
    return false
  }

  /// Starts again with the oldest event.
  mutating func beginRound() {
    passedUpTo = nil
    triesOldest = false
    restsUntil = nil
    round += 1
  }

  /// Events were removed from the store without an answer. Which of the refused ones are left is not known.
  mutating func eventsWereRemoved() {
    refused.removeAll()
    passedUpTo = nil
    restsUntil = nil
  }

  /// Another collector answers from now on.
  mutating func endpointChanged() {
    let saved = saved
    self = Rejections()
    self.saved = saved
  }

  // MARK: Answers

  /// A request was accepted.
  ///
  /// - Parameter events: its events, in order.
  mutating func accepted(_ events: [TrackingData]) {
    acceptances += 1
    inARow = 0
    if let failing, let reason = failing.reason, failing.first == events.first?.sequence, suspected == nil {
      temporary.insert(reason)
    }
    (failing, aloneInARow, patience) = (nil, 0, 1)
    defer { if isEmpty { (suspected, searchFailures) = (nil, 0) } }
    limit = Self.firstLimit
    passedUpTo = nil
    triesOldest = false
    restsUntil = nil
    if !refused.isEmpty { for event in events { refused[event.id] = nil } }
    guard let search, let last = events.last?.sequence else { return }
    if last >= search.end {
      self.search = nil
    } else if !search.keepsSize {
      let among = max(1, search.among - events.count)
      self.search = (among, search.end, max(1, among / 2), false)
    }
  }

  /// A request with several events was refused.
  ///
  /// - Parameter forItsSize: whether smaller requests help by themselves.
  mutating func split(_ events: [TrackingData], forItsSize: Bool) {
    guard let last = events.last else { return }
    failing = nil
    search = (events.count, last.sequence, max(1, events.count / 2), forItsSize)
  }

  /// A request failed with a status that normally means the server.
  mutating func failed(_ events: [TrackingData], because reason: String) -> Suspicion {
    guard let first = events.first else { return .none }
    if suspected == reason, !isEmpty {
      searchFailures += 1
      if events.count > 1 { return .oneOfThem }
      if refused[first.id] == nil { aloneInARow += 1 }
      if aloneInARow < Self.suspicious { return .theEvent }
      eventsWereRemoved()
      (search, suspected, failing, aloneInARow, patience) = (nil, nil, nil, 0, min(4 * patience, 1_000))
      return .none
    }
    let isSame = failing.map { $0.first == first.sequence && ($0.reason ?? reason) == reason } ?? false
    let times = (isSame ? failing?.times ?? 0 : 0) + 1
    failing = (first.sequence, times, reason)
    let isTemporary = temporary.contains(reason)
    let needed = isTemporary ? Self.suspiciousIfTemporary : confirmed.contains(reason) ? 1 : Self.suspicious
    guard times >= needed * patience, events.count > 1 else { return .none }
    (suspected, searchFailures) = (reason, 1)
    return .oneOfThem
  }

  /// An event turned out to be the reason of such failures.
  mutating func confirm(_ reason: String) { confirmed.insert(reason) }

  /// An event was refused alone, or named in an answer.
  ///
  /// - Parameter isNamed: whether the answer names it among others, which are sent again without it.
  mutating func refused(_ event: TrackingData, because reason: String, isNamed: Bool = false) -> Verdict {
    self.reason = reason
    triesOldest = false
    if search?.keepsSize == false { search = nil }
    let known = refused[event.id]
    let counts = known.map { $0.acceptances < acceptances } ?? true
    let times = (known?.times ?? 0) + (counts ? 1 : 0)
    // A status that may be the server's needs more than one that names the event.
    if known != nil, counts, times >= (suspected == nil ? 2 : 4) {
      refused[event.id] = nil
      return .deadLetter
    }
    refused[event.id] = (counts ? acceptances : known?.acceptances ?? acceptances, round, times)
    newest = max(newest, event.sequence)
    if !isNamed { passedUpTo = max(passedUpTo ?? .min, event.sequence) }
    return .passOver
  }

  /// Counts events that the collector refused.
  ///
  /// - Returns: whether to pause, because it refused too many in a row.
  mutating func mustPause(after refusals: Int) -> Bool {
    inARow += refusals
    guard inARow >= limit else { return false }
    inARow = 0
    limit = min(2 * limit, Self.highestLimit)
    triesOldest = true
    return true
  }

  // MARK: Across launches

  /// The notes of the store that keep the place.
  private static let notes = [
    "delivery.refusedUpTo", "delivery.searchAmong", "delivery.searchEnd", "delivery.failingFrom", "delivery.failures",
    "delivery.suspected",
  ]

  private var place: [Int64?] {
    [
      passedUpTo ?? (refused.isEmpty ? nil : newest), search.map { Int64($0.among) }, search?.end, failing?.first,
      failing.map { Int64($0.times) }, suspected.flatMap { Int64($0) },
    ]
  }

  /// Continues at the place of an earlier launch.
  mutating func restore(from store: any TrackingDataStore) throws(TrackingStoreError) {
    self = Rejections()
    for (index, key) in Self.notes.enumerated() { saved[index] = try store.note(key) }
    passedUpTo = saved[0]
    suspected = saved[5].map { "\($0)" }
    // The event that was passed over while one was searched would fail first for ever.
    triesOldest = passedUpTo != nil && suspected == nil
    if let among = saved[1].map({ Int(clamping: $0) }), among > 0, let end = saved[2] {
      search = (among, end, max(1, among / 2), false)
    }
    if let first = saved[3], let times = saved[4] { failing = (first, Int(clamping: times), nil) }
  }

  /// Saves the place, if it has changed.
  mutating func save(in store: any TrackingDataStore) throws(TrackingStoreError) {
    let place = place
    for (index, key) in Self.notes.enumerated() where place[index] != saved[index] {
      try store.setNote(key, place[index])
      saved[index] = place[index]
    }
  }
}
