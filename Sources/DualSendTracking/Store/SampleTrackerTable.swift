import DualSendCore
import GRDB

/// Takes over the table of the sample tracker: `Tracking(id INTEGER PRIMARY KEY AUTOINCREMENT, rawData BLOB)`.
///
/// Each blob is a JSON object `{"eventId", "eventTime", "payload"}` whose `eventId` is the event's name. Readable rows
/// join the queue, oldest first. An unreadable blob becomes a dead letter.
///
/// Rows stay until their events are delivered, dropped or dead-lettered, and the table stays while one of them is
/// pending. A user who reinstalls the app's earlier version thereby loses no events, and none is sent twice.
/// `sampleRow` records the rows taken over, a trigger deletes a row with its event, and each launch compares the
/// tables:
///
/// - A row that is not recorded was added by the earlier version. It is taken over.
/// - A recorded row that is missing was delivered by the earlier version. Its event counts as delivered and is not
///   sent.
///
/// To repeat a takeover, delete the recorded events and `sampleRow` first.
enum SampleTrackerTable {
  static let columns: Set = ["id", "rawData"]
  private static let chunk = 500

  /// Takes over new rows, and drops the table when none of its events is pending.
  ///
  /// - Returns: whether the table is kept.
  static func takeOver(in database: DatabaseQueue, storedAt now: Int64) throws -> Bool {
    let isConcerned = try database.read { try $0.tableExists("Tracking") || $0.tableExists("sampleRow") }
    return try isConcerned && database.write { try takeOver(in: $0, storedAt: now) }
  }

  private static func takeOver(in db: Database, storedAt now: Int64) throws -> Bool {
    let columns = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('Tracking')")
    guard Set(columns) == Self.columns else {
      if try db.tableExists("sampleRow") { try db.execute(sql: forgetRows) }
      return false
    }
    try db.execute(sql: noteRows)
    try settleMissingRows(in: db)
    try takeNewRows(in: db, storedAt: now)
    return try !dropIfSettled(in: db)
  }

  /// Drops the table if none of its events is pending. Returns whether it did.
  static func dropIfSettled(in db: Database) throws -> Bool {
    guard try Int.fetchOne(db, sql: "SELECT 1 FROM sampleRow WHERE sequence IS NOT NULL LIMIT 1") == nil else {
      return false
    }
    try db.execute(sql: forgetRows + "DROP TABLE Tracking")
    return true
  }

  /// The checksum distinguishes a row from a later one with the same number.
  private static let noteRows = """
    CREATE TABLE IF NOT EXISTS sampleRow(row INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, sequence INTEGER UNIQUE);
    CREATE TRIGGER IF NOT EXISTS sampleRowSettled AFTER DELETE ON event BEGIN
      DELETE FROM Tracking WHERE rowid = (SELECT row FROM sampleRow WHERE sequence = old.sequence);
      DELETE FROM sampleRow WHERE sequence = old.sequence;
    END;
    """
  private static let forgetRows = "DROP TRIGGER IF EXISTS sampleRowSettled; DROP TABLE sampleRow;"

  private static func settleMissingRows(in db: Database) throws {
    var missing: [(row: Int64, sequence: Int64?)] = []
    let notes = try Row.fetchCursor(
      db,
      sql: """
        SELECT row, sequence, checksum, Tracking.rowid, rawData FROM sampleRow LEFT JOIN Tracking ON Tracking.rowid = row
        """)
    while let note = try notes.next() {
      let isThere = try note[3] != nil && note.decode(Int64.self, atIndex: 2) == checksum(blob(of: note, at: 4))
      if !isThere { missing.append((try note.decode(atIndex: 0), try note.decode(atIndex: 1))) }
    }
    // Before the events: the trigger would delete a new row with the same number.
    for (row, _) in missing { try db.run("DELETE FROM sampleRow WHERE row = ?", [row]) }
    try db.add(try db.delete(missing.compactMap(\.sequence)), to: LedgerCounter.delivered)
  }

  private static func takeNewRows(in db: Database, storedAt now: Int64) throws {
    var generator = EventIDGenerator()
    var last: Int64 = .min
    while true {
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT rowid, rawData FROM Tracking
          WHERE rowid > ? AND rowid NOT IN (SELECT row FROM sampleRow) ORDER BY rowid LIMIT ?
          """, arguments: [last, chunk])
      guard let end = rows.last else { return }
      last = end[0]
      var events: [TrackingData] = []
      var unreadable: [DeadLetter] = []
      var notes: [(row: Int64, checksum: Int64, event: Int64?)] = []
      for row in rows {
        let blob = blob(of: row, at: 1)
        let event = event(from: blob, generator: &generator)
        notes.append((row[0], checksum(blob), event.map { _ in Int64(events.count) }))
        if let event {
          events.append(event)
        } else {
          let id = EventID(milliseconds: 0, using: &generator)
          let letter = TrackingData(id: id, time: 0, name: "", body: blob)
          unreadable.append(DeadLetter(event: letter, reason: DeadLetter.unreadableRow))
        }
      }
      let first = try db.insert(events, storedAt: now)
      for note in notes {
        let sequence = note.event.map { first + $0 }
        try db.run("INSERT INTO sampleRow VALUES(?, ?, ?)", [note.row, note.checksum, sequence])
      }
      try db.keep(unreadable, within: TrackerConfiguration.Quota(deadLetters: .max), now: now)
      try db.add(rows.count, to: LedgerCounter.accepted)
      try db.add(unreadable.count, to: LedgerCounter.deadLettered)
    }
  }

  /// A number instead of a blob is not damage: the sample's table accepts any value.
  private static func blob(of row: Row, at index: Int) -> [UInt8] {
    (try? row.withUnsafeData(atIndex: index) { $0.map { Array($0) } }) ?? []
  }

  private static func checksum(_ blob: [UInt8]) -> Int64 {
    blob.withUnsafeBytes { BodyChecksum.of($0) }
  }

  private static func event(from blob: [UInt8], generator: inout EventIDGenerator) -> TrackingData? {
    guard case .object(let members)? = try? JSONReader().value(blob), case .object(let payload)? = members["payload"]
    else { return nil }
    let time = milliseconds(members["eventTime"])
    let eventID = text(members["eventId"])
    let id = eventID.flatMap { EventID($0) }
    let name =
      text(members["eventName"]) ?? (id == nil ? eventID : nil) ?? text(payload["eventName"])
      ?? text(payload["name"]) ?? "unknown"
    return TrackingData(
      TrackingEvent(
        id: id ?? EventID(milliseconds: time, using: &generator), time: time, name: name, payload: payload))
  }

  /// The text, if it is not empty.
  private static func text(_ value: EventValue?) -> String? {
    if case .string(let text)? = value, !text.isEmpty { text } else { nil }
  }

  /// The sample's encoder wrote seconds, milliseconds or text. A number below 10¹¹ is seconds (the year 5138).
  private static let seconds: Range<Int64> = -100_000_000_000..<100_000_000_000

  private static func milliseconds(_ value: EventValue?) -> Int64 {
    switch value {
    case .int(let number): seconds.contains(number) ? number * 1000 : number
    case .double(let number):
      Int64(exactly: (number < 100_000_000_000 ? number * 1000 : number).rounded()) ?? 0
    case .string(let text): Timestamp.milliseconds(text: text) ?? 0
    default: 0
    }
  }
}
