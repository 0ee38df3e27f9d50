import GRDB

/// Writing on a disk that is full, and giving back space that is no longer needed.
extension SQLiteTrackingDataStore {
  /// The log is emptied into the database when it has so many pages: a quarter of SQLite's own default, so that the
  /// reserve covers it.
  static let logPages = 256
  /// What is worth giving back, and what may be copied for it, in pages: 1 MiB and 4 MiB.
  private static let leastFreePages = 256
  private static let mostUsedPages = 1024

  /// Runs a transaction; on a full disk it makes room for it first.
  ///
  /// - Parameter makesRoom: whether it may have the reserve: not for new events, which would use it up.
  func write<Value>(makesRoom: Bool = true, _ body: (Database) throws -> Value) throws(TrackingStoreError) -> Value {
    do {
      do { return try database.write(body) } catch DatabaseError.SQLITE_FULL {
        return try writeOnFullDisk(makesRoom: makesRoom, body)
      }
    } catch {
      throw TrackingStoreError(error)
    }
  }

  private func writeOnFullDisk<Value>(makesRoom: Bool, _ body: (Database) throws -> Value) throws -> Value {
    emptyLogOnFullDisk()
    do { return try database.write(body) } catch DatabaseError.SQLITE_FULL where makesRoom {
      let size = reserve.size
      reserve.release()
      defer {
        try? emptyLog()
        reserve.restore(atLeast: size)
      }
      return try database.write(body)
    }
  }

  /// The log may be all that fills the disk. Emptying it needs no space where the database has its pages already; where
  /// it has not, the reserve is as large as what it lacks.
  func emptyLogOnFullDisk() {
    let size = reserve.size
    guard (try? emptyLog()) == nil, let missing = try? missingBytes(), missing <= reserve.freeBytes + size else { return }
    reserve.release()
    try? emptyLog()
    reserve.restore(atLeast: size)
  }

  /// Copies the log into the database and cuts it to nothing.
  ///
  /// - Throws: an error of a full disk, before anything is written, if the database cannot grow by what it lacks.
  private func emptyLog() throws {
    guard try missingBytes() <= reserve.freeBytes else {
      throw DatabaseError(resultCode: .SQLITE_FULL, message: "the log does not fit into the database")
    }
    _ = try database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
  }

  /// By how much the file of the database is shorter than the database.
  private func missingBytes() throws -> Int {
    let size = try database.read { db in
      let (pages, bytes) = (
        try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0, try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
      )
      return pages * bytes
    }
    return max(0, size - FileSize.of(file))
  }

  /// Makes the reserve whole again where something was missing; empties the log first, which counts on it.
  func topUpReserve() {
    guard !reserve.isWhole else { return }
    if reserve.size == 0 { try? emptyLog() }
    reserve.restore()
  }

  /// See ``TrackingDataStore/rest()``.
  ///
  /// Rewrites a database that is mostly empty, which takes a moment and memory for what is left in it: at most 4 MiB.
  public func rest() {
    topUpReserve()
    let pages = try? database.read { db in
      (free: try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0, all: try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0)
    }
    guard let pages, pages.free >= Self.leastFreePages, pages.all - pages.free <= Self.mostUsedPages else { return }
    // Without space, or beside a reader who does not end, the file stays as it is until the next time.
    guard (try? database.vacuum()) != nil else { return }
    try? emptyLog()
  }
}
