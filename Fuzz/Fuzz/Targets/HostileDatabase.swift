import Foundation
import GRDB

@testable import DualSendCore
@testable import DualSendTracking

/// Makes databases that no tracker would write.
enum HostileDatabase {
  /// The tables without their constraints, so that a row may hold anything anywhere, as damage can make it.
  private static let tables = [
    (
      name: "event",
      columns: [
        "sequence INTEGER PRIMARY KEY", "id", "time", "storedAt", "name", "bytes", "attempts", "body", "checksum",
        "events",
      ]
    ),
    (
      name: "deadLetter",
      columns: ["number INTEGER PRIMARY KEY", "id", "time", "name", "attempts", "reason", "body", "storedAt"]
    ),
    (name: "ledger", columns: ["counter PRIMARY KEY", "value"]),
    (name: "note", columns: ["key PRIMARY KEY", "value"]),
  ]
  private static let words = [
    "accepted", "delivered", "deadLettered", "pending", "pendingBytes", "lastSequence", "databasesSetAside",
    "dropped.quotaCount", "dropped.purged", "store.identity", "store.age", "store.wall", "adopted.1",
    "delivery.notBefore",
  ]

  static func writeRows(_ cursor: inout ByteCursor, to file: URL) throws {
    let template = try template()
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: "PRAGMA synchronous = OFF; CREATE TABLE grdb_migrations(identifier TEXT PRIMARY KEY NOT NULL)")
      for migration in template.migrations {
        try db.execute(sql: "INSERT INTO grdb_migrations VALUES(?)", arguments: [migration])
      }
      for table in tables {
        try db.execute(sql: "CREATE TABLE \(table.name)(\(table.columns.joined(separator: ", ")))")
      }
      while !cursor.isAtEnd {
        let table = tables[Int(cursor.byte()) % tables.count]
        let values = table.columns.map { _ in value(&cursor) }
        let marks = values.map { _ in "?" }.joined(separator: ",")
        try? db.execute(
          sql: "INSERT OR REPLACE INTO \(table.name) VALUES(\(marks))", arguments: StatementArguments(values))
      }
    }
  }

  static func writeSampleTable(_ cursor: inout ByteCursor, to file: URL) throws {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    let isTyped = cursor.byte() & 1 == 0
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA synchronous = OFF")
      try db.execute(
        sql: isTyped
          ? "CREATE TABLE Tracking(id INTEGER PRIMARY KEY AUTOINCREMENT, rawData BLOB)"
          : "CREATE TABLE Tracking(id, rawData)")
      while !cursor.isAtEnd {
        let id = value(&cursor)
        let length = Int(cursor.byte())
        let blob = Data(cursor.bytes(length == 255 ? .max : length))
        try? db.execute(sql: "INSERT INTO Tracking VALUES(?, ?)", arguments: [id, blob])
      }
    }
  }

  /// A sound database and its WAL with bytes overwritten, and perhaps cut off.
  static func writeDamaged(_ cursor: inout ByteCursor, to file: URL) throws {
    var (database, wal) = try (template().database, template().wal)
    while !cursor.isAtEnd {
      let place = cursor.byte()
      let offset = Int(cursor.byte()) << 8 | Int(cursor.byte())
      let byte = cursor.byte()
      switch place % 8 {
      case 0: database = database.prefix(offset)
      case 1: wal = wal.prefix(offset)
      case 2, 3: if wal.indices.contains(offset) { wal[offset] = byte }
      default: if database.indices.contains(offset) { database[offset] = byte }
      }
    }
    try database.write(to: file)
    if !wal.isEmpty { try wal.write(to: URL(fileURLWithPath: file.path + "-wal")) }
  }

  private static func value(_ cursor: inout ByteCursor) -> DatabaseValue {
    let kind = cursor.byte()
    switch kind % 8 {
    case 0: return .null
    case 1, 2: return Int64(cursor.byte()).databaseValue
    case 3: return cursor.integer().databaseValue
    case 4: return Double(bitPattern: UInt64(bitPattern: cursor.integer())).databaseValue
    case 5: return words[Int(cursor.byte()) % words.count].databaseValue
    // An id, or the empty one of a run.
    case 6: return Data(cursor.bytes(kind & 8 == 0 ? 16 : 0)).databaseValue
    default:
      let bytes = cursor.bytes(Int(cursor.byte()))
      return kind & 8 == 0 ? Data(bytes).databaseValue : String(decoding: bytes, as: UTF8.self).databaseValue
    }
  }

  /// A database as a tracker leaves it, with events, a dead letter and a WAL.
  private struct Template {
    let database: Data
    let wal: Data
    let migrations: [String]
  }

  private static let madeTemplate = Result { try makeTemplate() }

  private static func template() throws -> Template { try madeTemplate.get() }

  private static func makeTemplate() throws -> Template {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("events.sqlite")
    do {
      let store = try TrackerConfiguration.StoreLocation.file(file).open(
        quota: TrackerConfiguration.Quota(), time: .system)
      try fill(store, from: 0)
    }
    let reopened = try TrackerConfiguration.StoreLocation.file(file).open(
      quota: TrackerConfiguration.Quota(), time: .system)
    try fill(reopened, from: 10)
    // Read while the store is open: closing it would empty the WAL.
    let (database, wal) = (try Data(contentsOf: file), try Data(contentsOf: URL(fileURLWithPath: file.path + "-wal")))
    let migrations = try DatabaseQueue(path: file.path).read {
      try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations")
    }
    return Template(database: database, wal: wal, migrations: migrations)
  }

  private static func fill(_ store: any TrackingDataStore, from first: UInt64) throws {
    let events = (0..<5).map { number in
      TrackingData(
        TrackingEvent(id: EventID(high: first, low: number), time: 1, name: "home.tap", payload: ["position": .int(1)]))
    }
    _ = try store.append(events, dropped: [.tooLarge: 1], inFlight: nil)
    let batch = try store.batch(maximumEvents: 2, maximumBytes: 1 << 10)
    try store.resolve(delivered: [batch[0]], deadLettered: [DeadLetter(event: batch[1], reason: "no")])
  }
}
