import Foundation
import GRDB

/// Writing on a full disk, and freeing unused space.
extension SQLiteTrackingDataStore {
  /// The bytes of pages in the WAL at which it is checkpointed: a quarter of SQLite's default, so that the reserve covers
  /// it.
  static let logBytes: Int64 = 1 << 20
  /// How many free bytes are worth a rewrite, normally and when space is short, and how many used bytes may be copied
  /// for it.
  private static let leastFreeBytes: Int64 = 1 << 20
  private static let leastFreeBytesWhereTight: Int64 = 64 << 10
  private static let mostUsedBytes: Int64 = 4 << 20

  /// Runs a transaction. On a full disk, makes room first.
  ///
  /// If the reserve is incomplete, the WAL is emptied after each transaction. It then stays smaller than the reserve,
  /// so that the database always has the space to take it in.
  ///
  /// - Parameter mayGrow: whether the database may grow into the reserve. A transaction that makes room in the end may;
  ///   one with new events may not, because it would use the reserve up.
  func write<Value>(mayGrow: Bool = true, _ body: (Database) throws -> Value) throws(TrackingStoreError) -> Value {
    do {
      guard let reserve else { return try database.write(body) }
      let value: Value
      do { value = try database.write(body) } catch DatabaseError.SQLITE_FULL {
        return try writeOnFullDisk(reserve, mayGrow: mayGrow, body)
      }
      if !reserve.isWhole {
        emptyLogOnFullDisk(reserve)
        reserve.restore()
      }
      return value
    } catch {
      throw TrackingStoreError(error)
    }
  }

  private func writeOnFullDisk<Value>(
    _ reserve: DiskReserve, mayGrow: Bool, _ body: (Database) throws -> Value
  ) throws -> Value {
    emptyLogOnFullDisk(reserve)
    do { return try database.write(body) } catch DatabaseError.SQLITE_FULL {
      return try with(reserve) {
        try database.write { db in
          let result = try body(db)
          if !mayGrow, try db.sizeInBytes() > FileSize.of(reserve.database) { throw Self.noSpace }
          return result
        }
      }
    }
  }

  private static let noSpace = DatabaseError(resultCode: .SQLITE_FULL, message: "the disk is full")

  /// Runs `body` with the reserve's space, then empties the WAL and reserves the space again.
  private func with<Value>(_ reserve: DiskReserve, _ body: () throws -> Value) rethrows -> Value {
    let size = reserve.size
    reserve.release()
    defer {
      try? emptyLog(reserve)
      reserve.restore(atLeast: size)
    }
    return try body()
  }

  /// The WAL itself may fill the disk. Emptying it needs no space if the database has the pages already; otherwise the
  /// reserve is large enough.
  private func emptyLogOnFullDisk(_ reserve: DiskReserve) {
    guard (try? emptyLog(reserve)) == nil, let missing = try? missingBytes(in: reserve.database),
      missing <= reserve.freeBytes + reserve.size
    else {
      return
    }
    with(reserve) {}
  }

  /// Checkpoints and truncates the WAL.
  ///
  /// - Throws: a disk-full error, before anything is written, if the database cannot grow as needed.
  private func emptyLog(_ reserve: DiskReserve) throws {
    guard try missingBytes(in: reserve.database) <= reserve.freeBytes else { throw Self.noSpace }
    _ = try database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
  }

  /// How much the database file has to grow for the WAL.
  private func missingBytes(in file: URL) throws -> Int64 {
    max(0, try database.unsafeRead { try $0.sizeInBytes() } - FileSize.of(file))
  }

  /// Completes the reserve. If space is short, empties the WAL first.
  func topUpReserve() {
    guard let reserve, !reserve.isWhole else { return }
    reserve.restore()
    guard !reserve.isWhole else { return }
    try? emptyLog(reserve)
    reserve.restore()
  }

  /// See ``TrackingDataStore/reclaimSpace()``.
  ///
  /// Rewrites a database that is mostly empty. This takes a moment, and at most 4 MiB of memory.
  package func reclaimSpace() {
    dropSettledSampleTable()
    eraseOldDeadLetters()
    topUpReserve()
    let isTight = reserve.map { !$0.isWhole } ?? false
    let bytes = try? database.unsafeRead { db in
      (free: try db.number("PRAGMA freelist_count") * db.pageSize(), all: try db.sizeInBytes())
    }
    guard let bytes, bytes.free >= (isTight ? Self.leastFreeBytesWhereTight : Self.leastFreeBytes),
      bytes.all - bytes.free <= Self.mostUsedBytes
    else { return }
    // Without space, or with another reader, the file stays as it is until the next time.
    do { try database.vacuum() } catch DatabaseError.SQLITE_FULL {
      guard let reserve else { return }
      with(reserve) { try? database.vacuum() }
    } catch {
      return
    }
    if let reserve { try? emptyLog(reserve) }
    topUpReserve()
  }
}

extension SQLiteTrackingDataStore {
  private func eraseOldDeadLetters() {
    let now = clock.now()
    let oldest = try? database.unsafeRead { try Int64.fetchOne($0, sql: "SELECT min(storedAt) FROM deadLetter") }
    guard let oldest, now - oldest > quota.age.inMilliseconds else { return }
    try? write { [quota] db in try db.eraseDeadLetters(olderThan: quota.age, now: now) }
  }

  /// Drops the sample tracker's table when none of its events is pending. If this fails, the next call tries again.
  func dropSettledSampleTable() {
    guard holdsSampleTable.current, let isDropped = try? write({ try SampleTrackerTable.dropIfSettled(in: $0) }) else {
      return
    }
    if isDropped { holdsSampleTable.withLock { $0 = false } }
  }
}

extension Database {
  /// The size of the database, including the WAL.
  fileprivate func sizeInBytes() throws -> Int64 {
    try number("PRAGMA page_count") * pageSize()
  }

  /// In bytes.
  fileprivate func pageSize() throws -> Int64 {
    try number("PRAGMA page_size")
  }

  /// Sets when a commit checkpoints the WAL. SQLite counts pages, and a sample tracker's are larger.
  func limitLog() throws {
    try execute(sql: "PRAGMA wal_autocheckpoint = \(SQLiteTrackingDataStore.logBytes / pageSize())")
  }

  fileprivate func number(_ sql: String) throws -> Int64 {
    try Int64.fetchOne(self, sql: sql) ?? 0
  }
}
