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
      file: file, quota: TrackerConfiguration.Quota(), time: .system, ownership: ownership, destination: nil)
  }

  /// Notes whose events these are. Without space for that the events go all the same, and the next launch notes it.
  func noteDestination() {
    guard let number = destination?.number, (try? note(NoteKey.destination)) != number else { return }
    try? setNote(NoteKey.destination, number)
  }

  /// Takes over what trackers that are gone left in other databases, and deletes those databases.
  ///
  /// One that cannot be read, or for which there is no space, stays where it is and is tried again at the next launch.
  ///
  /// - Parameter isOurs: whether events may be taken from a database that notes this destination; `nil` for none.
  func adopt(_ files: [URL], where isOurs: (Int64?) -> Bool) {
    for file in files where isOurs(StoreDestination.noted(in: file)) {
      guard let ownership = (try? StoreOwnership.take(file)) ?? nil else { continue }
      try? adopt(file, ownership, where: isOurs)
    }
  }

  private func adopt(
    _ file: URL, _ ownership: StoreOwnership, where isOurs: (Int64?) -> Bool
  ) throws(TrackingStoreError) {
    let leftover = try SQLiteTrackingDataStore(
      file: file, quota: quota, time: time, ownership: ownership, destination: nil)
    guard isOurs(try leftover.note(NoteKey.destination)), let identity = try leftover.note(NoteKey.identity) else {
      return
    }
    try copy(leftover, identity: identity)
    leftover.close()
    DatabaseFiles.remove(file)
  }

  /// Copies events, dead letters and counters in one transaction. It also notes whose they are, so that a crash before
  /// the leftover is deleted does not copy them twice.
  private func copy(_ leftover: SQLiteTrackingDataStore, identity: Int64) throws(TrackingStoreError) {
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
