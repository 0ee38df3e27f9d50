import DualSendCore
package import Foundation
import GRDB

extension SQLiteTrackingDataStore {
  /// Opens a database for a tool that changes it. Throws if a tracker is using it.
  package static func forTool(_ file: URL) throws(TrackingStoreError) -> SQLiteTrackingDataStore {
    try DatabaseIdentity.check(file)
    guard let ownership = try StoreOwnership.take(file) else {
      throw TrackingStoreError(kind: .busy, message: "a tracker works on this database")
    }
    return try SQLiteTrackingDataStore(
      file: file, quota: TrackerConfiguration.Quota(), time: .system, ownership: ownership, destination: nil)
  }

  /// Records the destination of the events. If the disk is full, the next launch does.
  func noteDestination() {
    for (key, number) in [(NoteKey.destination, destination?.number), (NoteKey.tenant, destination?.tenant)] {
      guard let number, (try? note(key)) != number else { continue }
      try? setNote(key, number)
    }
  }

  /// See ``TrackingDataStore/waitingElsewhere()``.
  package func waitingElsewhere() -> Int {
    neighbours.current.reduce(0) { count, file in
      guard let ownership = (try? StoreOwnership.take(file)) ?? nil else { return count }
      return count + withExtendedLifetime(ownership) { Self.waiting(in: file) }
    }
  }

  /// Takes over the events of a store in memory.
  func takeOver(_ memory: SQLiteTrackingDataStore) throws(TrackingStoreError) {
    guard let identity = try memory.note(NoteKey.identity) else { return }
    try copy(memory, identity: identity)
  }

  /// Moves the events that former trackers left in other databases, and deletes those databases.
  ///
  /// If a database cannot be read, or there is not enough space, it stays and is tried again at the next launch.
  ///
  /// - Parameter ours: the destinations that a database may record; `nil` for one that records none.
  func adopt(_ files: [URL], of ours: [Int64?]) {
    for file in files where ours.contains(StoreDestination.noted(in: file)) {
      guard let ownership = (try? StoreOwnership.take(file)) ?? nil else { continue }
      try? adopt(file, ownership, of: ours)
    }
  }

  /// Lets the events of other destinations that lie beside this database age, and deletes a database that holds none any more.
  ///
  /// They are never sent here, and counted as dropped here when they are too old. Without this, what a tracker left whose address the app no longer has would stay for ever.
  /// Looks only at databases that were not written for the quota's age: the lock on one that a tracker of the app opens at
  /// this moment would send that to another file.
  func expire(_ files: [URL]) {
    let oldest = time.wallMilliseconds() - quota.age.inMilliseconds
    for file in files {
      let written = [file.path, file.path + "-wal"].compactMap { path in
        (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
      }
      guard let newest = written.max(), Timestamp.milliseconds(newest) < oldest,
        let noted = StoreDestination.noted(in: file), noted != destination?.number,
        let ownership = (try? StoreOwnership.take(file)) ?? nil,
        let store = try? SQLiteTrackingDataStore(
          file: file, quota: quota, time: time, ownership: ownership, destination: nil)
      else { continue }
      if let dropped = try? store.append([], dropped: [:], inFlight: nil), !dropped.isEmpty {
        _ = try? append([], dropped: dropped, inFlight: nil)
      }
      let isDone = (try? store.ledger().pending) == 0 && (try? store.deadLetters().isEmpty) == true
      store.close()
      if isDone { DatabaseFiles.remove(file) }
    }
  }

  /// How many events wait in a database that no tracker uses; 0 if it cannot be read.
  static func waiting(in file: URL) -> Int {
    guard DamagedDatabase.startsLikeDatabase(file),
      let store = try? SQLiteTrackingDataStore(
        file: file, quota: TrackerConfiguration.Quota(), time: .system, ownership: nil, destination: nil)
    else { return 0 }
    defer { store.closeUnchanged() }
    return (try? store.ledger().pending) ?? 0
  }

  private func adopt(_ file: URL, _ ownership: StoreOwnership, of ours: [Int64?]) throws(TrackingStoreError) {
    let leftover = try SQLiteTrackingDataStore(
      file: file, quota: quota, time: time, ownership: ownership, destination: nil)
    guard ours.contains(try leftover.note(NoteKey.destination)),
      let identity = try leftover.note(NoteKey.identity)
    else { return }
    try copy(leftover, identity: identity)
    leftover.close()
    DatabaseFiles.remove(file)
  }

  /// Copies events, dead letters and counters in one transaction, which also records the source, so that a crash before
  /// its deletion does not copy them twice.
  private func copy(_ leftover: SQLiteTrackingDataStore, identity: Int64) throws(TrackingStoreError) {
    let now = clock.now()
    try leftover.write { try $0.countUncounted() }
    try write { db in
      let mark = "adopted.\(identity)"
      guard try db.storedNote(mark) == nil else { return }
      try leftover.database.read { source in
        try source.forEachWaitingRow { row in
          let events = try row.markedIfUnreadable()
          let damaged = events.filter(\.isDamaged)
          // Inserting them would give them valid checksums.
          try db.keep(
            damaged.map { DeadLetter(event: $0, reason: DeadLetter.damaged) }, within: quota, now: now)
          try db.add(damaged.count, to: LedgerCounter.deadLettered)
          if damaged.isEmpty { _ = try db.insert(EventRun.packed(events), storedAt: now) }
        }
        try db.keep(try source.storedDeadLetters(), within: quota, now: now)
        let counters = try Row.fetchCursor(
          source, sql: "SELECT counter, value FROM ledger WHERE counter NOT IN (?, ?, ?)",
          arguments: [LedgerCounter.lastSequence, LedgerCounter.pending, LedgerCounter.pendingBytes])
        while let row = try counters.next() {
          try db.add(try row.decode(Int64.self, atIndex: 1), to: try row.decode(atIndex: 0))
        }
      }
      try db.storeNote(mark, 1)
    }
  }
}
