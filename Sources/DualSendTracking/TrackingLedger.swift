/// Counts the fate of every accepted event.
///
/// The counters change in the same transactions as the events they count, so that the ledger balances after a crash at
/// any point: `accepted = delivered + dropped + dead-lettered + pending`.
public struct TrackingLedger: Sendable, Hashable {
  /// Events accepted from callers.
  public var accepted: Int
  /// Events that the collector acknowledged.
  public var delivered: Int
  /// Dropped events, by reason. Reasons that never occurred are absent.
  public var dropped: [DropReason: Int]
  /// Events that became dead letters, including those whose body is no longer kept.
  public var deadLettered: Int
  /// How many of ``deadLettered`` no longer have a body, because of the limit in ``TrackerConfiguration/Quota``.
  public var deadLettersErased: Int
  /// Pending events: in memory, on disk, or in flight.
  public var pending: Int
  /// How many damaged databases were set aside. Their events are unknown and not included in the other counters.
  public var databasesSetAside: Int

  /// Creates a ledger.
  public init(
    accepted: Int = 0, delivered: Int = 0, dropped: [DropReason: Int] = [:], deadLettered: Int = 0, pending: Int = 0,
    databasesSetAside: Int = 0, deadLettersErased: Int = 0
  ) {
    self.accepted = accepted
    self.delivered = delivered
    self.dropped = dropped
    self.deadLettered = deadLettered
    self.pending = pending
    self.databasesSetAside = databasesSetAside
    self.deadLettersErased = deadLettersErased
  }

  /// All dropped events.
  public var droppedTotal: Int {
    dropped.values.reduce(0, +)
  }

  /// Whether every accepted event is accounted for.
  public var isBalanced: Bool {
    accepted == delivered + droppedTotal + deadLettered + pending
  }
}

extension TrackingLedger {
  /// The counters that are one number each, by their name in databases and in JSON. Code that reads, writes or adds ledgers
  /// iterates this list.
  package static let counters: [(name: String, count: any WritableKeyPath<TrackingLedger, Int> & Sendable)] = [
    (LedgerCounter.accepted, \.accepted), (LedgerCounter.delivered, \.delivered),
    (LedgerCounter.deadLettered, \.deadLettered), (LedgerCounter.deadLettersErased, \.deadLettersErased),
    (LedgerCounter.pending, \.pending), (LedgerCounter.databasesSetAside, \.databasesSetAside),
  ]

  /// Reads a database's counters; `nil` if one is out of range.
  package init?(_ counters: [String: Int64]) {
    self.init()
    guard counters.values.allSatisfy(LedgerCounter.range.contains) else { return nil }
    // Where `Int` has 32 bits, a larger count is shown as the largest; the stored one stays exact.
    for (name, count) in Self.counters { self[keyPath: count] = Int(clamping: counters[name] ?? 0) }
    for (name, value) in counters {
      if let reason = LedgerCounter.droppedReason(name) { dropped[reason, default: 0] += Int(clamping: value) }
    }
  }

  /// Adds the ledger of another database.
  package static func += (ledger: inout TrackingLedger, other: TrackingLedger) {
    for (_, count) in counters { ledger[keyPath: count] += other[keyPath: count] }
    ledger.dropped.merge(other.dropped, uniquingKeysWith: +)
  }
}

extension TrackingLedger: CustomStringConvertible {
  /// `accepted 10 = delivered 7 + dropped 1 (tooLarge 1) + dead-lettered 0 + pending 2`, with `≠` if it does not
  /// balance.
  public var description: String {
    let reasons = dropped.filter { $0.value > 0 }.inOrder { $0.key < $1.key }
    let details = reasons.isEmpty ? "" : " (" + reasons.map { "\($0.key) \($0.value)" }.joined(separator: ", ") + ")"
    let erased = deadLettersErased > 0 ? " (\(deadLettersErased) erased)" : ""
    return "accepted \(accepted) \(isBalanced ? "=" : "≠") delivered \(delivered) + dropped \(droppedTotal)\(details)"
      + " + dead-lettered \(deadLettered)\(erased) + pending \(pending)"
  }
}
