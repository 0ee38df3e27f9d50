/// What became of every event that was ever accepted.
///
/// The counters change in the same transactions as the events they count, so that the ledger balances after a crash at
/// any point: `accepted = delivered + dropped + dead-lettered + pending`.
public struct TrackingLedger: Sendable, Hashable {
  /// Events taken from callers.
  public var accepted: Int
  /// Events that the collector acknowledged.
  public var delivered: Int
  /// Events given up, by reason; a reason that never occurred is absent.
  public var dropped: [DropReason: Int]
  /// Events that the collector refused one by one. Counts every one, also those whose body the cap has pushed out.
  public var deadLettered: Int
  /// How many of ``deadLettered`` are lost: the cap of ``TrackerConfiguration/Quota`` has pushed their bodies out.
  public var deadLettersErased: Int
  /// Events that wait: in memory, on disk, or on their way.
  public var pending: Int
  /// How often a damaged database was set aside. What stood in it is unknown, and not part of the other counters.
  public var databasesSetAside: Int

  /// Creates a ledger; everything is 0 unless given.
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

extension TrackingLedger: CustomStringConvertible {
  /// `accepted 10 = delivered 7 + dropped 1 (tooLarge 1) + dead-lettered 0 + pending 2`, or `≠` where it does not balance.
  public var description: String {
    let reasons = dropped.filter { $0.value > 0 }.sorted { $0.key < $1.key }
    let details = reasons.isEmpty ? "" : " (" + reasons.map { "\($0.key) \($0.value)" }.joined(separator: ", ") + ")"
    let erased = deadLettersErased > 0 ? " (\(deadLettersErased) erased)" : ""
    return "accepted \(accepted) \(isBalanced ? "=" : "≠") delivered \(delivered) + dropped \(droppedTotal)\(details)"
      + " + dead-lettered \(deadLettered)\(erased) + pending \(pending)"
  }
}
