package import DualSendCore
package import Foundation
import GRDB

/// The store: one SQLite database, on disk in WAL mode or in memory.
///
/// On disk, a commit survives a crash of the process. It survives a power failure only after the next checkpoint
/// (`synchronous=NORMAL`), which saves an `fsync` per commit.
package final class SQLiteTrackingDataStore: TrackingDataStore {
  let database: DatabaseQueue
  let quota: TrackerConfiguration.Quota
  let time: TimeSource
  let clock: AgeClock
  /// `nil` in memory.
  let reserve: DiskReserve?
  /// The events that ``batch(from:maximumEvents:maximumBytes:)`` need not read.
  let recent = Locked(RecentEvents())
  /// The lock on the file; `nil` if the caller ensures exclusive use.
  let ownership: StoreOwnership?
  /// The destination of the events; `nil` for a tool.
  let destination: StoreDestination?
  /// Whether the database has the sample tracker's table.
  let holdsSampleTable: Locked<Bool>
  /// The databases that may hold events for other destinations.
  let neighbours = Locked<[URL]>([])
  /// Whether a database or a log was set aside since the last launch that counted those.
  let hasSetAside = Locked(false)

  /// See ``TrackingDataStore/foundDamage``.
  package var foundDamage: Bool { hasSetAside.current }

  /// `nil` in memory.
  var file: URL? { reserve?.database }

  /// Opens or creates the database, and migrates it to the current schema.
  ///
  /// - Parameters:
  ///   - file: its folder must exist.
  ///   - quota: the limits of the store.
  ///   - time: the clock for the ages of events.
  /// - Throws: ``TrackingStoreError``. A damaged file is not changed.
  package convenience init(
    file: URL, quota: TrackerConfiguration.Quota = TrackerConfiguration.Quota(), time: TimeSource = .system
  ) throws(TrackingStoreError) {
    try self.init(file: file, quota: quota, time: time, ownership: nil, destination: nil)
  }

  /// Creates an empty database in memory, for previews, tests and apps that may not write to disk.
  ///
  /// - Throws: ``TrackingStoreError`` if there is not enough memory.
  package convenience init(
    inMemoryWithQuota quota: TrackerConfiguration.Quota = TrackerConfiguration.Quota(), time: TimeSource = .system
  ) throws(TrackingStoreError) {
    try self.init(file: nil, quota: quota, time: time, ownership: nil, destination: nil)
  }

  init(
    file: URL?, quota: TrackerConfiguration.Quota, time: TimeSource, ownership: StoreOwnership?,
    destination: StoreDestination?
  ) throws(TrackingStoreError) {
    self.quota = quota
    self.time = time
    self.ownership = ownership
    self.destination = destination
    reserve = file.map { DiskReserve(of: $0) }
    if let file {
      try DatabaseIdentity.check(file)
      try DamagedDatabase.check(file)
      DatabaseAccess.secure(file)
    }
    do {
      let isSampleTableKept: Bool
      (database, clock, isSampleTableKept) = try Self.open(reserve, time)
      holdsSampleTable = Locked(isSampleTableKept)
    } catch {
      throw TrackingStoreError(error)
    }
    topUpReserve()
  }

  /// Opens the database. If the disk is full, uses the reserve, because SQLite needs space for the WAL and its index.
  private static func open(_ reserve: DiskReserve?, _ time: TimeSource) throws -> (DatabaseQueue, AgeClock, Bool) {
    let file = reserve?.database
    do { return try open(file, time) } catch let error as DatabaseError
      where [.SQLITE_FULL, .SQLITE_IOERR].contains(error.resultCode)
    {
      guard let reserve, reserve.size > 0 else { throw error }
      reserve.release()
      return try open(file, time)
    }
  }

  private static func open(_ file: URL?, _ time: TimeSource) throws -> (DatabaseQueue, AgeClock, Bool) {
    let database =
      try file.map { try DatabaseQueue(path: $0.path, configuration: configuration) }
      ?? DatabaseQueue(configuration: configuration)
    try StoreSchema.migrate(database)
    try database.inDatabase { try $0.limitLog() }
    let notes = try database.read { db in
      try [NoteKey.age, NoteKey.wall, NoteKey.uptime].map { try db.storedNote($0) }
    }
    let clock = AgeClock(time: time, age: notes[0], wall: notes[1], uptime: notes[2])
    return (database, clock, try SampleTrackerTable.takeOver(in: database, storedAt: clock.now()))
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "DualSend.events"
    configuration.qos = .utility
    configuration.journalMode = .wal
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { db in
      // Only for a new database.
      try db.execute(sql: "PRAGMA page_size = \(StoreFormat.pageSize)")
      try db.execute(sql: "PRAGMA synchronous = NORMAL")
      // Some systems build SQLite so that a delete overwrites every byte. That is needed for freed pages, not for the
      // WAL.
      try db.execute(sql: "PRAGMA secure_delete = FAST")
      try db.limitLog()
      // Keeps events out of unprotected temporary files.
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
    }
    return configuration
  }

  /// See ``TrackingDataStore/append(_:dropped:inFlight:)``.
  package func append(
    _ events: [TrackingData], dropped: [DropReason: Int], inFlight: ClosedRange<Int64>?
  ) throws(TrackingStoreError) -> [DropReason: Int] {
    let now = clock.now()
    let parts = EventRun.packed(events)
    let (first, evicted, waiting) = try write(mayGrow: false) { [quota, time] db in
      var first = dropped.isEmpty ? try db.insertUncounted(parts, storedAt: now) : nil
      if first == nil {
        first = try db.insert(parts, storedAt: now)
        try db.add(events.count, to: LedgerCounter.accepted)
      }
      for (reason, count) in dropped {
        try db.add(count, to: LedgerCounter.accepted)
        try db.add(count, to: LedgerCounter.dropped(reason))
      }
      try db.noteAge(now, wall: time.wallMilliseconds(), uptime: time.uptime().inMilliseconds)
      let (evicted, waiting) = try db.evict(beyond: quota, now: now, inFlight: inFlight)
      return (first, evicted, waiting)
    }
    recent.withLock { recent in
      if evicted.isEmpty, let first {
        recent.committed(EventRun.asDelivered(parts, from: first), waiting: waiting)
      } else {
        recent.forget()
      }
    }
    return evicted
  }

  /// See ``TrackingDataStore/batch(from:maximumEvents:maximumBytes:)``.
  package func batch(
    from sequence: Int64, maximumEvents: Int, maximumBytes: Int
  ) throws(TrackingStoreError) -> [TrackingData] {
    let recent = recent.withLock {
      $0.batch(from: sequence, maximumEvents: maximumEvents, maximumBytes: maximumBytes)
    }
    if let recent { return recent }
    var isInPlace = true
    func read() throws(TrackingStoreError) -> [TrackingData] {
      isInPlace = true
      return try self.read { db in
        let selection = try RowStatement(
          "SELECT \(EventColumn.list) FROM event WHERE sequence >= ? ORDER BY sequence LIMIT ?",
          in: db)
        selection.bind(sequence, at: 1)
        selection.bind(Int64(max(1, maximumEvents)), at: 2)
        var events: [TrackingData] = []
        var bytes = 0
        try selection.forEachRow { row in
          let waiting = try row.waitingEvents()
          if !(waiting.first?.isDamaged ?? true), try !row.isInPlace() {
            isInPlace = false
            return false
          }
          for event in waiting {
            if let previous = events.last, previous.sequence >= event.sequence { throw LedgerCounter.disorder }
            guard event.sequence >= sequence else { continue }
            bytes += event.bodyCount
            if !events.isEmpty, bytes > maximumBytes || events.count >= maximumEvents { return false }
            events.append(event)
          }
          return true
        }
        if events.isEmpty, isInPlace, sequence == .min, try db.count(LedgerCounter.pending) > 0 {
          throw LedgerCounter.missing
        }
        return events
      }
    }
    let events = try read()
    if isInPlace { return events }
    try write { try $0.repairPlaces() }
    return try read()
  }

  /// See ``TrackingDataStore/resolve(delivered:deadLettered:)``.
  package func resolve(delivered: [TrackingData], deadLettered: [DeadLetter]) throws(TrackingStoreError) {
    let now = clock.now()
    try write { [quota] db in
      try db.add(try db.delete(delivered.map(\.sequence)), to: LedgerCounter.delivered)
      var present: [DeadLetter] = []
      for letter in deadLettered where try db.delete([letter.event.sequence]) > 0 { present.append(letter) }
      try db.add(present.count, to: LedgerCounter.deadLettered)
      try db.keep(present, within: quota, now: now)
    }
    recent.withLock { recent in
      if deadLettered.isEmpty { recent.delivered(delivered) } else { recent.forget() }
    }
  }

  /// See ``TrackingDataStore/recordFailedAttempt(_:)``.
  package func recordFailedAttempt(_ events: [TrackingData]) throws(TrackingStoreError) {
    recent.withLock { $0.forget() }
    try write { db in
      for range in ranges(of: events.map(\.sequence)) {
        try db.splitRuns(cutBy: range)
        try db.run(
          "UPDATE event SET attempts = attempts + 1 WHERE sequence BETWEEN ? AND ?",
          [range.lowerBound, range.upperBound])
      }
    }
  }

  /// See ``TrackingDataStore/deleteAll(reason:)``.
  package func deleteAll(reason: DropReason) throws(TrackingStoreError) -> Int {
    recent.withLock { $0.forget() }
    let count = try write { db in
      // Damaged events must not prevent the deletion. If they cannot be counted, the ledger never includes them.
      try? db.countUncounted()
      let waiting = Int(clamping: try db.count(LedgerCounter.pending))
      try db.run("DELETE FROM event")
      try db.run("DELETE FROM ledger WHERE counter IN (?, ?)", [LedgerCounter.pending, LedgerCounter.pendingBytes])
      try db.run("DELETE FROM deadLetter")
      let letters = db.changesCount
      try db.add(-letters, to: LedgerCounter.deadLettered)
      try db.add(waiting + letters, to: LedgerCounter.dropped(reason))
      return waiting + letters
    }
    dropSettledSampleTable()
    deleteFilesBeside()
    return count
  }

  /// Deletes the databases that were set aside, and those that former trackers of this destination left.
  private func deleteFilesBeside() {
    guard let file, let destination else { return }
    for damaged in DamagedDatabase.setAside(beside: file) { DatabaseFiles.remove(damaged) }
    for other in DatabaseFiles(main: file).leftovers where StoreDestination.noted(in: other) == destination.number {
      // One that another tracker uses is that tracker's to delete.
      guard let ownership = (try? StoreOwnership.take(other)) ?? nil else { continue }
      withExtendedLifetime(ownership) { DatabaseFiles.remove(other) }
    }
  }

  /// See ``TrackingDataStore/ledger()``.
  package func ledger() throws(TrackingStoreError) -> TrackingLedger {
    try read { try $0.ledger() }
  }

  /// See ``TrackingDataStore/waitingBytes()``.
  package func waitingBytes() throws(TrackingStoreError) -> Int {
    try read { db in Int(clamping: try db.count(LedgerCounter.pendingBytes) &+ db.uncounted().bytes) }
  }

  /// See ``TrackingDataStore/waitingSequences()``.
  package func waitingSequences() throws(TrackingStoreError) -> ClosedRange<Int64>? {
    try read { db in
      // Two queries, because SQLite uses the index only for a single `min` or `max`.
      guard let first = try db.oldestSequence(),
        let last = try Int64.fetchOne(db, sql: "SELECT max(sequence) FROM event")
      else {
        if try db.count(LedgerCounter.pending) > 0 { throw LedgerCounter.missing }
        return nil
      }
      guard first <= last else { throw LedgerCounter.disorder }
      return first...last
    }
  }

  /// See ``TrackingDataStore/waitingIDs()``.
  package func waitingIDs() throws(TrackingStoreError) -> [EventID] {
    try read { try $0.waitingIDs() }
  }

  /// See ``TrackingDataStore/deadLetters()``.
  package func deadLetters() throws(TrackingStoreError) -> [DeadLetter] {
    try read { try $0.storedDeadLetters() }
  }

  /// See ``TrackingDataStore/retryDeadLetters(where:)``.
  package func retryDeadLetters(where isChosen: (DeadLetter) -> Bool) throws(TrackingStoreError) -> Int {
    let now = clock.now()
    recent.withLock { $0.forget() }
    return try write { db in
      let letters = try db.numberedDeadLetters().filter { isChosen($0.letter) }
      try db.insert(letters.map(\.letter.event), storedAt: now)
      for (number, _) in letters { try db.run("DELETE FROM deadLetter WHERE number = ?", [number]) }
      try db.add(-letters.count, to: LedgerCounter.deadLettered)
      return letters.count
    }
  }

  /// See ``TrackingDataStore/note(_:)``.
  package func note(_ key: String) throws(TrackingStoreError) -> Int64? {
    try read { try $0.storedNote(key) }
  }

  /// See ``TrackingDataStore/setNote(_:_:)``.
  package func setNote(_ key: String, _ value: Int64?) throws(TrackingStoreError) {
    try write { db in
      if let value { try db.storeNote(key, value) } else { try db.run("DELETE FROM note WHERE key = ?", [key]) }
    }
  }

  /// Closes the database. Later calls throw.
  ///
  /// Counts all events in the ledger first.
  package func close() {
    try? write { try $0.countUncounted() }
    closeUnchanged()
  }

  /// Closes the database without another transaction.
  func closeUnchanged() {
    try? database.close()
  }

  /// Reads without a transaction, because this store is the only writer. GRDB's `read` would also switch `PRAGMA
  /// query_only` on and off, after which SQLite prepares every statement again.
  private func read<Value>(_ body: (Database) throws -> Value) throws(TrackingStoreError) -> Value {
    do { return try database.unsafeRead(body) } catch { throw TrackingStoreError(error) }
  }
}

/// The keys of the store's own notes.
enum NoteKey {
  /// A random number that identifies the database.
  static let identity = "store.identity"
  static let age = "store.age"
  static let wall = "store.wall"
  static let uptime = "store.uptime"
  /// See ``StoreDestination/number``.
  static let destination = "store.destination"
  /// See ``StoreDestination/tenant``.
  static let tenant = "store.tenant"
}
