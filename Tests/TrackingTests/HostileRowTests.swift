import CustomDump
import DualSendTesting
import EventModel
import Foundation
import GRDB
import Platform
import Testing

@testable import Tracking

/// Damage that SQLite does not notice: any value in any column. The store must throw, never end the process.
@Suite("Rows that no tracker writes")
struct HostileRowTests {
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("db")
    let store = try SQLiteTrackingDataStore(file: file)
    let events = [1, 2].map { number in
      TrackingData(Event(id: EventID(high: 1, low: number), time: 1, name: "a", payload: [:]))
    }
    _ = try store.append(events, entry: LedgerEntry(), inFlight: nil)
    store.close()
  }

  /// Rewrites the tables without their constraints and runs a statement on them.
  private func damage(_ sql: String) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      for table in ["event", "deadLetter", "ledger", "note"] {
        try db.execute(sql: "CREATE TABLE copy AS SELECT * FROM \(table); DROP TABLE \(table)")
        let columns = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('copy')")
        let first = columns[0] + (["sequence", "number"].contains(columns[0]) ? " INTEGER" : "") + " PRIMARY KEY"
        let list = ([first] + columns.dropFirst()).joined(separator: ", ")
        try db.execute(sql: "CREATE TABLE \(table)(\(list)); INSERT INTO \(table) SELECT * FROM copy; DROP TABLE copy")
      }
      try db.execute(sql: sql)
    }
    try queue.close()
  }

  private func opened() throws -> SQLiteTrackingDataStore { try SQLiteTrackingDataStore(file: file) }

  private func expectDamaged(_ body: () throws -> Void) {
    #expect { try body() } throws: { ($0 as? TrackingStoreError)?.kind == .damaged }
  }

  @Test(
    "an event with a hole or another type in it is damage",
    arguments: ["time = NULL", "name = NULL", "attempts = NULL", "id = NULL", "attempts = 9223372036854775807"])
  func event(assignment: String) throws {
    try damage("UPDATE event SET \(assignment)")
    let store = try opened()
    expectDamaged { _ = try store.batch(maximumEvents: 10, maximumBytes: .max) }
  }

  @Test(
    "what the quota looks at is damage where it is no number, or out of all proportion",
    arguments: ["storedAt = NULL", "bytes = NULL", "bytes = -9223372036854775808"])
  func quota(assignment: String) throws {
    try damage("UPDATE event SET storedAt = -9223372036854775807, \(assignment)")
    let store = try opened()
    expectDamaged { _ = try store.append([], entry: LedgerEntry(), inFlight: nil) }
  }

  @Test(
    "a ledger with a hole, or one whose sums would overflow, is damage",
    arguments: [
      "UPDATE ledger SET value = NULL", "UPDATE ledger SET value = 9223372036854775807",
      "INSERT INTO ledger VALUES(NULL, 1)",
    ])
  func ledger(sql: String) throws {
    try damage(sql)
    let store = try opened()
    expectDamaged { _ = try store.ledger() }
  }

  @Test("a last sequence at the end of all numbers is damage")
  func sequence() throws {
    try damage("UPDATE ledger SET value = 9223372036854775807 WHERE counter = 'lastSequence'")
    let store = try opened()
    let event = TrackingData(Event(id: EventID(high: 1, low: 3), time: 1, name: "a", payload: [:]))
    expectDamaged { _ = try store.append([event], entry: LedgerEntry(), inFlight: nil) }
  }

  @Test("a dead letter without a reason is damage, and the doctor says so")
  func deadLetter() throws {
    try damage("INSERT INTO deadLetter SELECT 1, id, time, name, attempts, NULL, body FROM event LIMIT 1")
    let store = try opened()
    expectDamaged { _ = try store.deadLetters() }
    expectDamaged { _ = try StoreInspection(file) }
  }

  @Test("the lowest of all sequences can be delivered")
  func lowestSequence() throws {
    try damage("UPDATE event SET sequence = -9223372036854775808 WHERE sequence = 1")
    let store = try opened()
    let batch = try store.batch(maximumEvents: 10, maximumBytes: .max)
    try store.resolve(delivered: batch + batch, deadLettered: [])
    #expect(try store.ledger() == Ledger(accepted: 2, delivered: 2))
  }

  @Test("a clock at either end of all numbers still tells a time", arguments: [Int64.min, .max])
  func clock(age: Int64) throws {
    let time = ManualClock().timeSource
    #expect(AgeClock(time: time, age: age, wall: age).now() >= 0)
  }

  @Test("the sample tracker's ids may be anything", .timeLimit(.minutes(1)))
  func sampleIDs() throws {
    let sample = folder.file("sample")
    let queue = try DatabaseQueue(path: sample.path)
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE Tracking(id, rawData)")
      try db.execute(sql: "INSERT INTO Tracking VALUES(0.5, '{}'), (NULL, NULL), ('x', x'00'), (x'ff', 1), (-1, 2.5)")
    }
    try queue.close()
    #expect(try SQLiteTrackingDataStore(file: sample).ledger() == Ledger(accepted: 5, deadLettered: 5))
  }

  @Test(
    "the sample tracker's time may be any number",
    arguments: ["-9223372036854775808", "9223372036854775807", "-1e308", "1e308", "-1"])
  func sampleTime(time: String) throws {
    let sample = folder.file("sample")
    let queue = try DatabaseQueue(path: sample.path)
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE Tracking(id INTEGER PRIMARY KEY AUTOINCREMENT, rawData BLOB)")
      let blob = Data(#"{"eventTime":\#(time),"payload":{"name":"a"}}"#.utf8)
      try db.execute(sql: "INSERT INTO Tracking(rawData) VALUES(?)", arguments: [blob])
    }
    try queue.close()
    let store = try SQLiteTrackingDataStore(file: sample)
    expectNoDifference(try store.batch(maximumEvents: 10, maximumBytes: .max).map(\.name), ["a"])
  }
}
