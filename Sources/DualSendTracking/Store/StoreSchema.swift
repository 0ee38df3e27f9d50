import GRDB

/// The schema of an event database.
enum StoreSchema {
  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1: events, dead letters, ledger, notes") { db in
      // `events` is how many events a row holds; `NULL` for one that is not compressed. See ``EventRun``.
      try db.execute(
        sql: """
          PRAGMA application_id = \(DatabaseIdentity.applicationID);
          CREATE TABLE event(
            sequence INTEGER PRIMARY KEY,
            id BLOB NOT NULL,
            time INTEGER NOT NULL,
            storedAt INTEGER NOT NULL,
            name TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            body BLOB NOT NULL,
            checksum INTEGER NOT NULL,
            events INTEGER
          );
          CREATE TABLE deadLetter(
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL,
            time INTEGER NOT NULL,
            name TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            reason TEXT NOT NULL,
            body BLOB NOT NULL,
            storedAt INTEGER NOT NULL
          );
          CREATE TABLE ledger(counter TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
          CREATE TABLE note(key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
          """)
      try db.storeNote(NoteKey.identity, .random(in: 1 ... .max))
    }
    return migrator
  }

  /// Brings the database to the current schema.
  ///
  /// - Throws: a damaged-database error if the tables are not those of the migrations, or the counters contradict each
  ///   other.
  static func migrate(_ database: DatabaseQueue) throws {
    try database.read { db in
      if try db.tableExists("grdb_migrations") { try prepare("SELECT identifier FROM grdb_migrations", in: db) }
    }
    try knowingSchema { try migrator.migrate(database) }
    try database.read { db in
      try prepare("SELECT \(EventColumn.list) FROM event", in: db)
      try prepare("SELECT number, id, time, name, attempts, reason, body, storedAt FROM deadLetter", in: db)
      try prepare("INSERT INTO ledger(counter, value) VALUES(1, 2) ON CONFLICT(counter) DO NOTHING", in: db)
      try prepare("INSERT INTO note(key, value) VALUES(1, 2) ON CONFLICT(key) DO NOTHING", in: db)
      // Transactions keep the ledger balanced. Includes drops with unknown reasons, which a later version may have
      // added.
      let imbalance = try Double.fetchOne(
        db,
        sql: """
          SELECT total(CASE WHEN counter = ? THEN value
            WHEN counter IN (?, ?, ?) OR counter GLOB ? THEN -value END) FROM ledger
          """,
        arguments: [
          LedgerCounter.accepted, LedgerCounter.delivered, LedgerCounter.deadLettered, LedgerCounter.pending,
          LedgerCounter.droppedPrefix + "*",
        ])
      guard imbalance == 0 else { throw LedgerCounter.damage }
    }
  }

  private static func prepare(_ sql: String, in db: Database) throws {
    try knowingSchema { _ = try db.makeStatement(sql: sql) }
  }

  /// Runs statements that fail only if the schema is damaged, or the list of the migrations that were made.
  private static func knowingSchema(_ statements: () throws -> Void) throws {
    do { try statements() } catch DatabaseError.SQLITE_ERROR {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the schema is not what the migrations made")
    }
  }
}

/// The columns of the table `event`. The raw value is a column's index in the table, and in a selection of ``list``.
package enum EventColumn: Int32, CaseIterable {
  case sequence, id, time, storedAt, name, bytes, attempts, body, checksum, events

  /// The names, in the same order.
  package static let list = "sequence, id, time, storedAt, name, bytes, attempts, body, checksum, events"

  package var index: Int { Int(rawValue) }
}

/// The names of the ledger's counters.
package enum LedgerCounter {
  static let accepted = "accepted"
  static let delivered = "delivered"
  static let deadLettered = "deadLettered"
  static let deadLettersErased = "deadLettersErased"
  static let pending = "pending"
  package static let pendingBytes = "pendingBytes"
  package static let lastSequence = "lastSequence"
  static let databasesSetAside = "databasesSetAside"
  static let droppedPrefix = "dropped."

  /// The valid values of a counter. More than 2⁵³ is damage; within the range, sums cannot overflow.
  static let range: ClosedRange<Int64> = 0...1 << 53
  static let disorder = DatabaseError(resultCode: .SQLITE_CORRUPT, message: "events are out of order")
  static let missing = DatabaseError(resultCode: .SQLITE_CORRUPT, message: "events are counted that are not there")
  static let damage = DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the ledger contradicts itself")

  static func dropped(_ reason: DropReason) -> String {
    droppedPrefix + reason.rawValue
  }

  static func droppedReason(_ counter: String) -> DropReason? {
    guard counter.hasPrefix(droppedPrefix) else { return nil }
    return DropReason(rawValue: String(counter.dropFirst(droppedPrefix.count))) ?? .other
  }
}

extension Database {
  /// Runs a cached statement.
  func run(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }

  func count(_ counter: String) throws -> Int64 {
    // GRDB reads a text as 0, which would hide damage.
    let statement = try cachedStatement(
      sql: "SELECT iif(typeof(value) = 'integer', value, -1) FROM ledger WHERE counter = ?")
    let value = try Int64.fetchOne(statement, arguments: [counter]) ?? 0
    guard LedgerCounter.range.contains(value) else { throw LedgerCounter.damage }
    return value
  }

  func add(_ amount: some BinaryInteger, to counter: String) throws {
    guard amount != 0 else { return }
    try run(
      "INSERT INTO ledger VALUES(?, ?) ON CONFLICT(counter) DO UPDATE SET value = value + excluded.value",
      [counter, Int64(amount)])
  }
}
