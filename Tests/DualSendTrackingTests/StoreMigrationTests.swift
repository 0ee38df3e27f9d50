import CustomDump
import DualSendCore
import Foundation
import GRDB
import Testing

@testable import DualSendTracking

/// The databases of earlier and later versions, written down as those versions made them and not by today's code.
@Suite("A database of another version")
struct StoreMigrationTests {
  /// In the order in which versions added them.
  private static let migrations = [
    "1: events, dead letters, ledger, notes", "2: take over the sample tracker's table", "3: an identity",
    "4: an application id, checksums",
  ]
  private static let tables = """
    CREATE TABLE event(sequence INTEGER PRIMARY KEY, id BLOB NOT NULL, time INTEGER NOT NULL, storedAt INTEGER NOT NULL,
      name TEXT NOT NULL, bytes INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, body BLOB NOT NULL);
    CREATE TABLE deadLetter(number INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL, time INTEGER NOT NULL,
      name TEXT NOT NULL, attempts INTEGER NOT NULL, reason TEXT NOT NULL, body BLOB NOT NULL);
    CREATE TABLE ledger(counter TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE note(key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE grdb_migrations(identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO event VALUES
      (7, x'00000000000000000000000000000007', 1, 0, 'first', 2, 0, CAST('{}' AS BLOB)),
      (9, x'00000000000000000000000000000009', 2, 0, 'second', 2, 3, CAST('{}' AS BLOB));
    INSERT INTO deadLetter VALUES(1, x'00000000000000000000000000000008', 1, 'bad', 1, 'schema', CAST('{}' AS BLOB));
    INSERT INTO ledger VALUES('accepted', 9), ('delivered', 5), ('deadLettered', 1), ('dropped.tooLarge', 1),
      ('pending', 2), ('pendingBytes', 4), ('lastSequence', 9);
    """

  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("db")
  }

  private func write(version: Int, and sql: String = "") throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(sql: Self.tables)
      for migration in Self.migrations.prefix(version) {
        try db.execute(sql: "INSERT INTO grdb_migrations VALUES(?)", arguments: [migration])
      }
      if version >= 4 { try db.execute(sql: "ALTER TABLE event ADD COLUMN checksum INTEGER") }
      if version >= 3 { try db.execute(sql: "INSERT INTO note VALUES('store.identity', 42)") }
      try db.execute(sql: sql)
    }
    try queue.close()
  }

  private func store() throws -> SQLiteTrackingDataStore { try SQLiteTrackingDataStore(file: file) }

  @Test("is opened with all that it holds, and takes more", arguments: 1...4)
  func earlier(version: Int) throws {
    try write(version: version)
    var identities: [Int64?] = []
    for _ in 0..<2 {
      let store = try store()
      expectNoDifference(try store.batch(maximumEvents: 9, maximumBytes: .max).map(\.name), ["first", "second"])
      expectNoDifference(try store.deadLetters().map(\.event.name), ["bad"])
      identities.append(try store.note(NoteKey.identity))
      store.close()
    }
    #expect(identities[0] != nil && identities[0] == identities[1])
    let event = TrackingData(TrackingEvent(id: EventID(high: 0, low: 10), time: 3, name: "third", payload: [:]))
    let store = try store()
    _ = try store.append([event], dropped: [:], inFlight: nil)
    expectNoDifference(try store.batch(maximumEvents: 9, maximumBytes: .max).map(\.sequence), [7, 9, 10])
    expectNoDifference(
      try store.ledger(),
      TrackingLedger(accepted: 10, delivered: 5, dropped: [.tooLarge: 1], deadLettered: 1, pending: 3))
  }

  @Test("that holds the sample tracker's table too takes its rows over, behind its own")
  func besideSample() throws {
    try write(
      version: 1,
      and: """
        CREATE TABLE Tracking(id INTEGER PRIMARY KEY AUTOINCREMENT, rawData BLOB);
        INSERT INTO Tracking VALUES(1, '{"eventTime":1700000000,"payload":{"name":"sample"}}')
        """)
    let store = try store()
    expectNoDifference(
      try store.batch(maximumEvents: 9, maximumBytes: .max).map(\.name), ["first", "second", "sample"])
    #expect(try store.ledger().isBalanced)
    // It goes with the last event that was taken over; see SampleTakeoverTests.
    #expect(try store.database.read { try $0.tableExists("Tracking") })
  }

  @Test("that a later one made is used, and what is dropped for a reason unknown here stays counted")
  func later() throws {
    try write(
      version: 3,
      and: """
        INSERT INTO grdb_migrations VALUES('4: of the future');
        ALTER TABLE event ADD COLUMN priority INTEGER;
        INSERT INTO ledger VALUES('dropped.bored', 2);
        UPDATE ledger SET value = 11 WHERE counter = 'accepted'
        """)
    let store = try store()
    expectNoDifference(
      try store.ledger(),
      TrackingLedger(accepted: 11, delivered: 5, dropped: [.tooLarge: 1, .other: 2], deadLettered: 1, pending: 2))
    try store.resolve(delivered: try store.batch(maximumEvents: 9, maximumBytes: .max), deadLettered: [])
    #expect(try store.ledger().delivered == 7)
  }
}
