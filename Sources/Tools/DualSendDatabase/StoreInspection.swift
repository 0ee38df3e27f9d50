package import DualSendTracking
package import Foundation
import GRDB

/// The content of a tracker's database, read without changing it, for `dualsend db check`.
package struct StoreInspection: Sendable {
  /// The ledger of the counters.
  package let ledger: TrackingLedger
  /// The counts of the rows.
  package let waitingEvents: Int
  package let waitingBytes: Int
  package let countedBytes: Int
  /// The times of the oldest and the newest pending event, in milliseconds since 1970-01-01T00:00:00Z.
  package let times: ClosedRange<Int64>?
  /// Pending events with damaged bodies; the tracker makes them dead letters.
  package let damagedEvents: Int
  /// Pending events with at least one failed request.
  package let failedEvents: Int
  /// The dead letters, counted by reason.
  package let deadLetters: [String: Int]
  /// The end of a server's `Retry-After`, in milliseconds since 1970-01-01T00:00:00Z.
  package let notBefore: Int64?
  /// The findings of SQLite's integrity check, and the rows that are not as they were written; empty if there are none.
  package let integrityFaults: [String]

  /// Reads the database; it may be in use.
  package init(_ file: URL) throws(TrackingStoreError) {
    let snapshot = try DatabaseSnapshot(file)
    do {
      self = try snapshot.queue.read { try StoreInspection($0) }
    } catch {
      throw TrackingStoreError(error)
    }
  }

  /// - Throws: an error if the database is not a tracker's.
  static func checkTables(_ db: Database) throws {
    let tables = Set(try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'"))
    if tables.isSuperset(of: StoreFormat.tables) {
      // Reading such a column runs what the file says.
      let generated = """
        SELECT 1 FROM sqlite_master AS own, pragma_table_xinfo(own.name) AS its WHERE own.type = 'table' AND its.hidden > 1
        """
      guard try Int.fetchOne(db, sql: generated) != nil else { return }
      throw TrackingStoreError(
        kind: .other, message: "its tables have generated columns, which no tracker makes; nothing was changed")
    }
    let features = try DatabaseIdentity.Features(
      number: { try Int32.fetchOne(db, sql: $0) }, texts: { try String.fetchAll(db, sql: $0) })
    guard DatabaseIdentity.isTrackers(features) else { throw DatabaseIdentity.foreign }
    throw TrackingStoreError(
      kind: .other, message: "no tracker has worked on it yet; the first one that does makes its tables")
  }

  private init(_ db: Database) throws {
    try Self.checkTables(db)
    var counters = try Self.counters(db)
    let uncounted = UncountedEvents.sequences(after: counters[LedgerCounter.lastSequence] ?? 0)
    let waiting = try WaitingEvents(db, uncounted: uncounted)
    StoreFormat.count(Int64(waiting.uncounted), bytes: Int64(waiting.uncountedBytes), in: &counters)
    guard let ledger = TrackingLedger(counters) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the ledger contradicts itself")
    }
    self.ledger = ledger
    countedBytes = Int(counters[LedgerCounter.pendingBytes] ?? 0)
    waitingEvents = waiting.count
    waitingBytes = waiting.bytes
    times = waiting.times
    failedEvents = waiting.failed
    damagedEvents = waiting.damaged
    var reasons: [String: Int] = [:]
    let letters = try Row.fetchCursor(db, sql: "SELECT reason, count(*) FROM deadLetter GROUP BY reason")
    while let letter = try letters.next() { reasons[try letter.decode(atIndex: 0)] = letter[1] }
    deadLetters = reasons
    notBefore = try Int64.fetchOne(
      db, sql: "SELECT value FROM note WHERE key = ?", arguments: [StoreFormat.notBeforeNote])
    integrityFaults =
      try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
      + waiting.misplaced.prefix(20).map {
        "row \($0) does not have the sequence or the number of events that it was written with"
      }
  }

  private static func counters(_ db: Database) throws -> [String: Int64] {
    var counters: [String: Int64] = [:]
    let rows = try Row.fetchCursor(db, sql: "SELECT counter, value FROM ledger")
    while let row = try rows.next() {
      counters[try row.decode(String.self, atIndex: 0)] = try row.decode(Int64.self, atIndex: 1)
    }
    return counters
  }
}

/// What the rows of pending events say.
private struct WaitingEvents {
  private(set) var count = 0
  private(set) var bytes = 0
  /// The events that the counters do not include yet, and their bytes.
  private(set) var uncounted = 0
  private(set) var uncountedBytes = 0
  private(set) var times: ClosedRange<Int64>?
  private(set) var failed = 0
  private(set) var damaged = 0
  /// The rows whose events are whole, but not in their place.
  private(set) var misplaced: [Int64] = []

  init(_ db: Database, uncounted sequences: ClosedRange<Int64>) throws {
    let rows = try Row.fetchCursor(db, sql: "SELECT \(EventColumn.list) FROM event")
    while let row = try rows.next() {
      guard let stored = StoreFormat.EventRow(row), let events = stored.events, let newest = events.last else {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row does not match its table")
      }
      events.forEach { add($0) }
      if !newest.isDamaged, !stored.isInPlace { misplaced.append(newest.sequence) }
      // Only the row knows how many bytes the events of a damaged run had.
      let isLost = newest.isDamaged && newest.body.isEmpty
      let rowBytes =
        isLost ? try row.decode(Int.self, atIndex: EventColumn.bytes.index) : events.reduce(0) { $0 + $1.body.count }
      count += events.count
      bytes &+= rowBytes
      if sequences.contains(newest.sequence) {
        uncounted += events.count
        uncountedBytes &+= rowBytes
      }
    }
  }

  private mutating func add(_ event: TrackingData) {
    if event.isDamaged { damaged += 1 }
    if event.attempts > 0 { failed += 1 }
    guard !event.isDamaged || event.time != 0 else { return }
    times = min(times?.lowerBound ?? event.time, event.time)...max(times?.upperBound ?? event.time, event.time)
  }
}
