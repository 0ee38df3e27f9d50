import CustomDump
import DualSendCore
import Foundation
import GRDB
import Testing

@testable import DualSendTracking

@Suite("A database that is not only this version's", .timeLimit(.minutes(5)))
struct StoreMigrationTests {
  private let folder: TemporaryFolder
  private let file: URL

  /// Makes a database with two pending events, a dead letter and a drop.
  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("db")
    let store = try SQLiteTrackingDataStore(file: file)
    let events = ["first", "second", "bad"].enumerated().map { number, name in
      TrackingData(TrackingEvent(id: EventID(high: 0, low: UInt64(number)), time: 1, name: name, payload: [:]))
    }
    _ = try store.append(events, dropped: [.tooLarge: 1], inFlight: nil)
    let bad = try #require(try store.batch(maximumEvents: 9, maximumBytes: .max).last)
    try store.resolve(delivered: [], deadLettered: [DeadLetter(event: bad, reason: "schema")])
    store.close()
  }

  private func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  @Test("that holds the sample tracker's table too takes its rows over, behind its own")
  func besideSample() throws {
    try change(
      """
      CREATE TABLE Tracking(id INTEGER PRIMARY KEY AUTOINCREMENT, rawData BLOB);
      INSERT INTO Tracking VALUES(1, '{"eventTime":1700000000,"payload":{"name":"sample"}}')
      """)
    let store = try SQLiteTrackingDataStore(file: file)
    expectNoDifference(
      try store.batch(maximumEvents: 9, maximumBytes: .max).map(\.name), ["first", "second", "sample"])
    #expect(try store.ledger().isBalanced)
    // It goes with the last event that was taken over; see SampleTakeoverTests.
    #expect(try store.database.read { try $0.tableExists("Tracking") })
  }

  @Test("that a later one made is used, and what is dropped for a reason unknown here stays counted")
  func later() throws {
    try change(
      """
      INSERT INTO grdb_migrations VALUES('2: of the future');
      ALTER TABLE event ADD COLUMN priority INTEGER;
      INSERT INTO ledger VALUES('dropped.bored', 2);
      UPDATE ledger SET value = value + 2 WHERE counter = 'accepted'
      """)
    let store = try SQLiteTrackingDataStore(file: file)
    expectNoDifference(
      try store.ledger(),
      TrackingLedger(accepted: 6, dropped: [.tooLarge: 1, .other: 2], deadLettered: 1, pending: 2))
    try store.resolve(delivered: try store.batch(maximumEvents: 9, maximumBytes: .max), deadLettered: [])
    #expect(try store.ledger().delivered == 2)
  }
}
