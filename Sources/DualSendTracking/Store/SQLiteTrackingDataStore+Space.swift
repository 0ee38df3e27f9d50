import GRDB

/// Writing on a disk that is full, and giving back space that is no longer needed.
extension SQLiteTrackingDataStore {
  /// The log is emptied into the database when it has so many pages: a quarter of SQLite's own default, so that the
  /// reserve covers it.
  static let logPages = 256
  /// What is worth giving back, on a disk without much space, and what may be copied for it, in pages.
  private static let leastFreePages = 256
  private static let leastFreePagesWhereTight = 16
  private static let mostUsedPages = 1024

  /// Runs a transaction; on a full disk it makes room for it first.
  ///
  /// Where the reserve is not whole, the log is emptied after each transaction. It is then no longer than the reserve,
  /// which is at least as large as what is free beside it, so that the database always has the space to take it in.
  ///
  /// - Parameter mayGrow: whether the database may become larger by the reserve, as a transaction may that makes room in
  ///   the end, but none of new events: they would use the reserve up.
  func write<Value>(mayGrow: Bool = true, _ body: (Database) throws -> Value) throws(TrackingStoreError) -> Value {
    do {
      let value: Value
      do { value = try database.write(body) } catch DatabaseError.SQLITE_FULL {
        return try writeOnFullDisk(mayGrow: mayGrow, body)
      }
      if !reserve.isWhole {
        emptyLogOnFullDisk()
        reserve.restore()
      }
      return value
    } catch {
      throw TrackingStoreError(error)
    }
  }

  private func writeOnFullDisk<Value>(mayGrow: Bool, _ body: (Database) throws -> Value) throws -> Value {
    emptyLogOnFullDisk()
    do { return try database.write(body) } catch DatabaseError.SQLITE_FULL {
      return try withReserve {
        try database.write { db in
          let result = try body(db)
          if !mayGrow, try db.sizeInBytes() > FileSize.of(file) { throw Self.noSpace }
          return result
        }
      }
    }
  }

  private static let noSpace = DatabaseError(resultCode: .SQLITE_FULL, message: "the disk is full")

  /// Runs `body` with the reserve's space, empties the log, which gives it back, and takes it again.
  private func withReserve<Value>(_ body: () throws -> Value) rethrows -> Value {
    let size = reserve.size
    reserve.release()
    defer {
      try? emptyLog()
      reserve.restore(atLeast: size)
    }
    return try body()
  }

  /// The log may be all that fills the disk. Emptying it needs no space where the database has its pages already; where
  /// it has not, the reserve is as large as what it lacks.
  private func emptyLogOnFullDisk() {
    guard (try? emptyLog()) == nil, let missing = try? missingBytes(), missing <= reserve.freeBytes + reserve.size
    else {
      return
    }
    withReserve {}
  }

  /// Copies the log into the database and cuts it to nothing.
  ///
  /// - Throws: an error of a full disk, before anything is written, if the database cannot grow by what it lacks.
  private func emptyLog() throws {
    guard try missingBytes() <= reserve.freeBytes else { throw Self.noSpace }
    _ = try database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
  }

  /// By how much the file of the database is shorter than the database.
  private func missingBytes() throws -> Int {
    max(0, try database.unsafeRead { try $0.sizeInBytes() } - FileSize.of(file))
  }

  /// Makes the reserve whole again where something is missing. Where space is short it empties the log first, whose pages
  /// the reserve has to cover.
  func topUpReserve() {
    guard !reserve.isWhole else { return }
    reserve.restore()
    guard !reserve.isWhole else { return }
    try? emptyLog()
    reserve.restore()
  }

  /// See ``TrackingDataStore/rest()``.
  ///
  /// Rewrites a database that is mostly empty, which takes a moment and memory for what is left in it: at most 4 MiB.
  public func rest() {
    dropSettledSampleTable()
    topUpReserve()
    let isTight = !reserve.isWhole
    let pages = try? database.unsafeRead { db in
      (free: try db.number("PRAGMA freelist_count"), all: try db.number("PRAGMA page_count"))
    }
    guard let pages, pages.free >= (isTight ? Self.leastFreePagesWhereTight : Self.leastFreePages),
      pages.all - pages.free <= Self.mostUsedPages
    else { return }
    // Without space, or beside a reader who does not end, the file stays as it is until the next time.
    do { try database.vacuum() } catch DatabaseError.SQLITE_FULL {
      withReserve { try? database.vacuum() }
    } catch {
      return
    }
    try? emptyLog()
    topUpReserve()
  }
}

extension SQLiteTrackingDataStore {
  /// Drops the sample tracker's table once nothing waits that was taken over from it. Failing that, the next rest does.
  func dropSettledSampleTable() {
    guard holdsSampleTable.current, let isDropped = try? write({ try SampleTrackerTable.dropIfSettled(in: $0) }) else {
      return
    }
    if isDropped { holdsSampleTable.withLock { $0 = false } }
  }
}

extension Database {
  /// The size of the database, with what its log adds.
  fileprivate func sizeInBytes() throws -> Int {
    try number("PRAGMA page_count") * number("PRAGMA page_size")
  }

  fileprivate func number(_ sql: String) throws -> Int {
    try Int.fetchOne(self, sql: sql) ?? 0
  }
}
