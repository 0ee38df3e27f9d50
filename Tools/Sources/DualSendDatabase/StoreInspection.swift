package import DualSendTracking
package import Foundation
import GRDB

/// The content of a tracker's database, read without changing it, for `dualsend doctor`.
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
  /// The findings of SQLite's integrity check; empty if there are none.
  package let integrityFaults: [String]

  /// Reads the database; it may be in use.
  package init(_ file: URL) throws(TrackingStoreError) {
    let snapshot = try DatabaseSnapshot(file)
    do {
      self = try snapshot.queue.read { try StoreInspection($0) }
    } catch {
      throw StoreFormat.error(error)
    }
  }

  /// - Throws: an error if the database is not a tracker's.
  static func checkTables(_ db: Database) throws {
    let tables = Set(try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'"))
    if tables.isSuperset(of: StoreFormat.tables) { return }
    let features = try DatabaseIdentity.Features(
      number: { try Int32.fetchOne(db, sql: $0) }, texts: { try String.fetchAll(db, sql: $0) })
    guard DatabaseIdentity.isTrackers(features) else { throw DatabaseIdentity.foreign }
    throw TrackingStoreError(
      kind: .other, message: "no tracker has worked on it yet; the first one that does makes its tables")
  }

  private init(_ db: Database) throws {
    try Self.checkTables(db)
    var counters = try Self.counters(db)
    let uncounted = StoreFormat.uncountedSequences(after: counters[StoreFormat.lastSequenceCounter] ?? 0)
    let newest = try Row.fetchOne(
      db, sql: "SELECT count(*), total(length(body)) FROM event WHERE sequence BETWEEN ? AND ?",
      arguments: [uncounted.lowerBound, uncounted.upperBound])
    StoreFormat.count(newest?[0] ?? 0, bytes: Int(newest?[1] as Double? ?? 0), in: &counters)
    guard let ledger = StoreFormat.ledger(counters) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the ledger contradicts itself")
    }
    self.ledger = ledger
    countedBytes = counters[StoreFormat.pendingBytesCounter] ?? 0
    let row = try Row.fetchOne(
      db, sql: "SELECT count(*), total(length(body)), min(time), max(time), total(attempts > 0) FROM event")
    waitingEvents = row?[0] ?? 0
    waitingBytes = Int(row?[1] as Double? ?? 0)
    if let row, let first = try row.decode(Int64?.self, atIndex: 2), let last = try row.decode(Int64?.self, atIndex: 3)
    {
      times = first...last
    } else {
      times = nil
    }
    failedEvents = Int(row?[4] as Double? ?? 0)
    var reasons: [String: Int] = [:]
    let letters = try Row.fetchCursor(db, sql: "SELECT reason, count(*) FROM deadLetter GROUP BY reason")
    while let letter = try letters.next() { reasons[try letter.decode(atIndex: 0)] = letter[1] }
    deadLetters = reasons
    notBefore = try Int64.fetchOne(
      db, sql: "SELECT value FROM note WHERE key = ?", arguments: [StoreFormat.notBeforeNote])
    damagedEvents = try Self.damagedEvents(db)
    integrityFaults = try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
  }

  private static func damagedEvents(_ db: Database) throws -> Int {
    let columns = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('event')")
    let checksum = columns.contains("checksum") ? "checksum" : "NULL"
    let rows = try Row.fetchCursor(db, sql: "SELECT body, \(checksum) FROM event")
    var count = 0
    while let row = try rows.next() {
      let isDamaged = try row.withUnsafeData(atIndex: 0) { body in
        try (body ?? Data()).withUnsafeBytes {
          StoreFormat.isDamaged($0, checksum: try row.decode(Int64?.self, atIndex: 1))
        }
      }
      if isDamaged { count += 1 }
    }
    return count
  }

  private static func counters(_ db: Database) throws -> [String: Int] {
    var counters: [String: Int] = [:]
    let rows = try Row.fetchCursor(db, sql: "SELECT counter, value FROM ledger")
    while let row = try rows.next() {
      counters[try row.decode(String.self, atIndex: 0)] = try row.decode(Int.self, atIndex: 1)
    }
    return counters
  }
}
