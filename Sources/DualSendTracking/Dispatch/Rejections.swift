/// Tells invalid events from a collector that refuses everything.
///
/// - A refused batch is searched for the invalid event: half as many events are sent, then a half of the rest, until one stands
///   alone. A failure does not lose the place, and neither does a relaunch.
/// - An event that is refused alone is kept and passed over. It becomes a dead letter only if it is refused again after the
///   collector has accepted another event in between. A collector that refuses everything therefore destroys nothing.
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

  private static let firstLimit = 20
  private static let highestLimit = 10_240

  /// How many requests were accepted.
  private var acceptances = 0
  /// Counts the attempts to send all events, from the oldest on.
  private var round = 0
  /// The events that were refused alone: how many requests had been accepted before, and the round of the last refusal.
  private var refused: [EventID: (acceptances: Int, round: Int)] = [:]
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
  private var saved: [Int64?] = [nil, nil, nil]

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
    search = (events.count, last.sequence, max(1, events.count / 2), forItsSize)
  }

  /// An event was refused alone, or named in an answer.
  ///
  /// - Parameter isNamed: whether the answer names it among others, which are sent again without it.
  mutating func refused(_ event: TrackingData, because reason: String, isNamed: Bool = false) -> Verdict {
    self.reason = reason
    triesOldest = false
    if search?.keepsSize == false { search = nil }
    let before = refused[event.id]?.acceptances ?? acceptances
    if before < acceptances {
      refused[event.id] = nil
      return .deadLetter
    }
    refused[event.id] = (before, round)
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
  private static let notes = ["delivery.refusedUpTo", "delivery.searchAmong", "delivery.searchEnd"]

  private var place: [Int64?] {
    [passedUpTo ?? (refused.isEmpty ? nil : newest), search.map { Int64($0.among) }, search?.end]
  }

  /// Continues at the place of an earlier launch.
  mutating func restore(from store: any TrackingDataStore) throws(TrackingStoreError) {
    self = Rejections()
    for (index, key) in Self.notes.enumerated() { saved[index] = try store.note(key) }
    passedUpTo = saved[0]
    triesOldest = passedUpTo != nil
    if let among = saved[1].map({ Int(clamping: $0) }), among > 0, let end = saved[2] {
      search = (among, end, max(1, among / 2), false)
    }
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
