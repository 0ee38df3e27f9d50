public import Foundation
import GRDB

extension SQLiteTrackingDataStore {
  /// Opens a database for a tool that changes it, if no tracker works on it.
  public static func forTool(_ file: URL) throws(TrackingStoreError) -> SQLiteTrackingDataStore {
    try DatabaseIdentity.check(file)
    guard let ownership = try StoreOwnership.take(file) else {
      throw TrackingStoreError(kind: .busy, message: "a tracker works on this database")
    }
    return try SQLiteTrackingDataStore(
      file: file, quota: TrackerConfiguration.Quota(), time: .system, ownership: ownership)
  }

  /// Takes over what trackers that are gone left in databases beside this one, and deletes those databases.
  ///
  /// A leftover that cannot be read stays where it is and is tried again at the next launch.
  func adoptLeftovers(of files: DatabaseFiles) throws(TrackingStoreError) {
    for (file, ownership) in try files.takeLeftovers() {
      guard let leftover = try? SQLiteTrackingDataStore(file: file, quota: quota, time: time, ownership: ownership),
        let identity = try? leftover.note(NoteKey.identity)
      else { continue }
      do { try adopt(leftover, identity: identity) } catch  where error.kind == .damaged { continue }
      leftover.close()
      DatabaseFiles.remove(file)
    }
  }

  /// Copies events, dead letters and counters in one transaction. It also notes whose they are, so that a crash before
  /// the leftover is deleted does not copy them twice.
  private func adopt(_ leftover: SQLiteTrackingDataStore, identity: Int64) throws(TrackingStoreError) {
    let now = clock.now()
    try write { db in
      let mark = "adopted.\(identity)"
      guard try db.storedNote(mark) == nil else { return }
      try leftover.database.read { source in
        let selection = try RowStatement(
          "SELECT \(StoredRow.columns) FROM event ORDER BY sequence", in: source)
        try selection.forEachRow { row in
          let event = try row.waitingEvent()
          if event.isDamaged {
            // Inserted, it would get a checksum that says it is whole.
            try db.keep([DeadLetter(event: event, reason: DeadLetter.damaged)], atMost: quota.deadLetters)
            try db.add(1, to: LedgerCounter.deadLettered)
          } else {
            try db.insert([event], storedAt: now)
          }
          return true
        }
        try db.keep(try source.storedDeadLetters(), atMost: quota.deadLetters)
        let counters = try Row.fetchCursor(
          source, sql: "SELECT counter, value FROM ledger WHERE counter NOT IN (?, ?, ?)",
          arguments: [LedgerCounter.lastSequence, LedgerCounter.pending, LedgerCounter.pendingBytes])
        while let row = try counters.next() { try db.add(try row.decode(atIndex: 1), to: try row.decode(atIndex: 0)) }
      }
      try db.storeNote(mark, 1)
    }
  }
}
