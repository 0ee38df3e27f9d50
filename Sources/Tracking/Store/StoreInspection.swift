import EventModel
package import Foundation
import GRDB
import Platform

/// What stands in a tracker's database, read without changing it: for `dualsend doctor`.
package struct StoreInspection: Sendable {
  /// What the counters say.
  package let ledger: Ledger
  /// What the rows say.
  package let waitingEvents: Int
  package let waitingBytes: Int
  package let countedBytes: Int
  /// When the oldest and the newest waiting event happened, in milliseconds since 1970-01-01T00:00:00Z.
  package let times: ClosedRange<Int64>?
  /// Waiting events that were in at least one failed request.
  package let failedEvents: Int
  /// The kept dead letters, counted by reason.
  package let deadLetters: [String: Int]
  /// The moment before which a server asked not to be asked again, in milliseconds since 1970-01-01T00:00:00Z.
  package let notBefore: Int64?
  /// What SQLite's integrity check found; empty if the database is sound.
  package let integrityFaults: [String]

  /// Reads the database; it may be in use.
  package init(_ file: URL) throws(TrackingStoreError) {
    try DamagedDatabase.check(file)
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    do {
      self = try DatabaseQueue(path: file.path, configuration: configuration).read { try StoreInspection($0) }
    } catch {
      throw TrackingStoreError(error)
    }
  }

  private init(_ db: Database) throws {
    let tables = Set(try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'"))
    guard tables.isSuperset(of: ["event", "deadLetter", "ledger", "note"]) else {
      throw DatabaseError(resultCode: .SQLITE_ERROR, message: "this is not a tracker's database")
    }
    ledger = try db.ledger()
    countedBytes = Int(try db.count(LedgerCounter.pendingBytes))
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
    notBefore = try db.storedNote(TrackingDispatcher.retryAfterNote)
    integrityFaults = try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
  }
}

/// Reads what can still be read from a damaged database: for `dualsend salvage`.
package enum StoreSalvage {
  /// Hands over every event that SQLite still finds, each once.
  ///
  /// It walks the events forwards and, where damage ends the walk, backwards from the end, so that one bad page costs
  /// what stands on it and not what lies behind.
  ///
  /// - Returns: how many events were read, and what ended each walk, if anything did.
  package static func events(
    of file: URL, _ body: (TrackingData) throws -> Void
  ) throws -> (count: Int, faults: [TrackingStoreError]) {
    try DamagedDatabase.check(file)
    var configuration = Configuration()
    configuration.readonly = true
    let queue: DatabaseQueue
    do { queue = try DatabaseQueue(path: file.path, configuration: configuration) } catch {
      throw TrackingStoreError(error)
    }
    var seen: Set<Int64> = []
    var faults: [TrackingStoreError] = []
    for order in ["ASC", "DESC"] where order == "ASC" || !faults.isEmpty {
      do {
        try queue.read { db in
          let selection = try RowStatement(
            "SELECT \(StoredRow.columns) FROM event ORDER BY sequence \(order)", in: db)
          try selection.forEachRow { row in
            if let event = try? row.event(), seen.insert(event.sequence).inserted { try body(event) }
            return true
          }
        }
      } catch let error as DatabaseError {
        faults.append(TrackingStoreError(error))
      }
    }
    return (seen.count, faults)
  }
}
