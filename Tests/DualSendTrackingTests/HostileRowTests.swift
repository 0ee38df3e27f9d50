import CustomDump
import DualSendCore
import DualSendTesting
import Foundation
import GRDB
import Testing

@testable import DualSendTracking

/// Damage that SQLite does not notice: any value in any column. The store must throw, never end the process.
@Suite("Rows that no tracker writes", .timeLimit(.minutes(5)))
struct HostileRowTests {
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("db")
    let store = try SQLiteTrackingDataStore(file: file)
    let events = [1, 2].map { number in
      TrackingData(TrackingEvent(id: EventID(high: 1, low: number), time: 1, name: "a", payload: [:]))
    }
    _ = try store.append(events, dropped: [:], inFlight: nil)
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
    "an event with a hole, or something else than an id, is damage",
    arguments: [
      "time = NULL", "name = NULL", "attempts = NULL", "id = NULL", "id = x'00'", "id = 7", "body = NULL",
    ])
  func event(assignment: String) throws {
    try damage("UPDATE event SET \(assignment)")
    let store = try opened()
    expectDamaged { _ = try store.batch(maximumEvents: 10, maximumBytes: .max) }
  }

  @Test("what the quota looks at is damage where it is missing", arguments: ["storedAt = NULL", "bytes = NULL"])
  func quota(assignment: String) throws {
    try damage("UPDATE event SET storedAt = -9223372036854775807; UPDATE event SET \(assignment)")
    let store = try opened()
    expectDamaged { _ = try store.append([], dropped: [:], inFlight: nil) }
  }

  @Test(
    "a number that is none, or at the end of all numbers, is damage, or its event goes the way of all others",
    arguments: [
      "time = 'noon'", "time = -9223372036854775808", "name = x'ff'", "attempts = 'many'", "attempts = -1",
      "attempts = 9223372036854775807", "attempts = -9223372036854775808", "storedAt = 'noon'", "bytes = 'many'",
      "bytes = -1", "bytes = 9223372036854775807", "bytes = -9223372036854775808", "body = 1.5", "body = ''",
    ])
  func oddValue(assignment: String) throws {
    try damage("UPDATE event SET \(assignment)")
    let store = try opened()
    do throws(TrackingStoreError) {
      _ = try store.append([], dropped: [:], inFlight: nil)
      let batch = try store.batch(maximumEvents: 10, maximumBytes: 1 << 10)
      try store.recordFailedAttempt(batch)
      try store.resolve(
        delivered: Array(batch.prefix(1)), deadLettered: batch.dropFirst().map { DeadLetter(event: $0, reason: "no") })
      _ = try store.retryDeadLetters()
      _ = try store.deleteAll(reason: .purged)
    } catch {
      #expect(error.kind == .damaged)
    }
    #expect(try store.ledger().isBalanced)
  }

  @Test(
    "a time of storage at either end of all numbers expires, or does not, and costs nothing else",
    arguments: [
      (Int64.min, TrackingLedger(accepted: 2, dropped: [.quotaAge: 2])),
      (.max, TrackingLedger(accepted: 2, pending: 2)),
    ])
  func storedAt(time: Int64, expected: TrackingLedger) throws {
    try damage("UPDATE event SET storedAt = \(time)")
    let store = try opened()
    _ = try store.append([], dropped: [:], inFlight: nil)
    #expect(try store.ledger() == expected)
  }

  @Test(
    "a ledger with a hole, one that contradicts itself, or one whose sums would overflow is damage",
    arguments: [
      "UPDATE ledger SET value = NULL",
      "UPDATE ledger SET value = 9223372036854775807", "UPDATE ledger SET value = -9223372036854775808",
      "UPDATE ledger SET value = value + 1 WHERE counter = 'accepted'", "INSERT INTO ledger VALUES(NULL, 1)",
      "INSERT INTO ledger VALUES('delivered', -9223372036854775808), ('dropped.other', 9223372036854775807)",
    ])
  func ledger(sql: String) throws {
    try damage(sql)
    expectDamaged { _ = try opened().ledger() }
  }

  @Test("a last sequence at the end of all numbers is damage")
  func lastSequence() throws {
    try damage("UPDATE ledger SET value = 9223372036854775807 WHERE counter = 'lastSequence'")
    let store = try opened()
    let event = TrackingData(TrackingEvent(id: EventID(high: 1, low: 3), time: 1, name: "a", payload: [:]))
    expectDamaged { _ = try store.append([event], dropped: [:], inFlight: nil) }
  }

  @Test("a dead letter without a reason is damage")
  func deadLetter() throws {
    try damage("INSERT INTO deadLetter SELECT 1, id, time, name, attempts, NULL, body, 0 FROM event LIMIT 1")
    let store = try opened()
    expectDamaged { _ = try store.deadLetters() }
  }

  @Test("any sequence can be delivered", arguments: [Int64.min, -1, 0, .max])
  func sequence(sequence: Int64) throws {
    try damage("UPDATE event SET sequence = \(sequence) WHERE sequence = 1")
    let store = try opened()
    let batch = try store.batch(maximumEvents: 10, maximumBytes: .max)
    try store.resolve(delivered: batch + batch, deadLettered: [])
    #expect(try store.ledger() == TrackingLedger(accepted: 2, delivered: 2))
  }

  @Test(
    "a moment to wait for that no server can have asked for makes a tracker wait an hour at most",
    arguments: ["'soon'", "1e300", "9223372036854775807", "-9223372036854775808"])
  func note(value: String) async throws {
    try damage("INSERT INTO note VALUES('delivery.notBefore', \(value))")
    let bench = try Bench(storage: .file(file))
    _ = await bench.tracker.statistics
    bench.clock.advance(by: .seconds(3600))
    await bench.tracker.flush()
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 2, delivered: 2))
  }

  @Test("a clock at either end of all numbers still tells a time", arguments: [Int64.min, .max])
  func clock(age: Int64) throws {
    let time = ManualClock().timeSource
    #expect(AgeClock(time: time, age: age, wall: age).now() >= 0)
  }

  @Test(
    "a tracker goes on with a fresh database, and counts the damaged one",
    arguments: [
      "UPDATE event SET id = NULL", "UPDATE event SET body = NULL", "UPDATE ledger SET value = NULL",
      "UPDATE ledger SET value = 'many'",
      "DROP TABLE note",
    ])
  func tracker(sql: String) async throws {
    try damage(sql)
    let bench = try Bench(storage: .file(file))
    bench.tracker.sendLog(name: "new", payload: [:])
    for _ in 0..<3 where await bench.tracker.flush().pending > 0 {}
    let ledger = await bench.tracker.statistics.ledger
    #expect(ledger.isBalanced && ledger.pending == 0 && ledger.databasesSetAside == 1)
  }
}
