import DualSendCore
import DualSendTracking
import Foundation
import GRDB
import Testing

@testable import DualSendDatabase

/// What the doctor says of rows that no tracker writes.
@Suite("An inspection", .timeLimit(.minutes(5)))
struct StoreInspectionTests {
  private let file = FileManager.default.temporaryDirectory.appendingPathComponent("inspection-\(UUID()).sqlite")

  init() throws {
    let store = try SQLiteTrackingDataStore(file: file)
    let events = [1, 2].map { number in
      TrackingData(id: EventID(high: 1, low: number), time: 1, name: "a", body: Array("{}".utf8))
    }
    _ = try store.append(events, dropped: [:], inFlight: nil)
    store.close()
  }

  @Test("scans no missing file, and says why another cannot be read")
  func unreadable() throws {
    let folder = FileManager.default.temporaryDirectory
    #expect(try PageScan(folder.appendingPathComponent("missing-\(UUID())")) == nil)
    #expect(throws: (any Error).self) { try PageScan(folder) }
  }

  @Test(
    "calls a hole where a table allows none damage",
    arguments: [
      "UPDATE event SET time = 'noon' WHERE sequence = 1",
      "INSERT INTO deadLetter SELECT 1, id, time, name, attempts, NULL, body, 0 FROM event LIMIT 1",
    ])
  func hole(sql: String) throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      for table in ["event", "deadLetter"] {
        try db.execute(sql: "CREATE TABLE copy AS SELECT * FROM \(table); DROP TABLE \(table)")
        try db.execute(sql: "ALTER TABLE copy RENAME TO \(table)")
      }
      try db.execute(sql: sql)
    }
    try queue.close()
    #expect { try StoreInspection(file) } throws: { ($0 as? TrackingStoreError)?.kind == .damaged }
  }

  @Test("refuses columns that are made when they are read, and makes no value of gigabytes")
  func strangersSchema() throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let snapshot = try DatabaseSnapshot(file)
    #expect(throws: DatabaseError.self) {
      try snapshot.queue.read { try Int.fetchOne($0, sql: "SELECT length(hex(zeroblob(40000000)))") }
    }
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { try $0.execute(sql: "ALTER TABLE event ADD COLUMN more AS (hex(zeroblob(400000000)))") }
    try queue.close()
    for reading in [{ _ = try StoreInspection(file) }, { _ = try StoreSalvage(of: file) { _ in } }] {
      #expect { try reading() } throws: { ($0 as? TrackingStoreError)?.message.contains("generated columns") == true }
    }
  }

  @Test("finds a sound database sound, and counts what waits in it")
  func sound() throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let inspection = try StoreInspection(file)
    #expect(inspection.integrityFaults.isEmpty)
    #expect(inspection.ledger == TrackingLedger(accepted: 2, pending: 2))
    #expect(inspection.waitingEvents == 2)
    #expect(inspection.waitingBytes == inspection.countedBytes)
  }
}
