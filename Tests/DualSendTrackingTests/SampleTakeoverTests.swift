import CustomDump
import DualSendCore
import DualSendTesting
import Foundation
import GRDB
import Testing

@testable import DualSendTracking

@Suite("The sample tracker's database", .timeLimit(.minutes(10)))
struct SampleTakeoverTests {
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("tracking.sqlite")
    try sample(
      """
      CREATE TABLE Tracking(id INTEGER PRIMARY KEY AUTOINCREMENT, rawData BLOB);
      INSERT INTO Tracking VALUES \(Self.row(1, "home.view")), \(Self.row(2, "item.tap")), \(Self.row(3, "item.buy"))
      """)
  }

  private static func row(_ id: Int, _ name: String) -> String {
    let blob = #"{"eventId":"\#(name)","eventTime":1700000000.5,"payload":{"item_id":\#(id),"name":"Tea"}}"#
    return "(\(id), CAST('\(blob)' AS BLOB))"
  }

  /// What the app's earlier version does to its database.
  private func sample(_ sql: String) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  private func open() throws -> SQLiteTrackingDataStore { try SQLiteTrackingDataStore(file: file) }

  private func names(_ store: SQLiteTrackingDataStore) throws -> [String] {
    try store.batch(maximumEvents: 99, maximumBytes: .max).map(\.name)
  }

  private func rows(_ store: SQLiteTrackingDataStore) throws -> [Int]? {
    try store.database.read { db in
      try db.tableExists("Tracking") ? try Int.fetchAll(db, sql: "SELECT rowid FROM Tracking ORDER BY rowid") : nil
    }
  }

  private func deliver(_ count: Int, from store: SQLiteTrackingDataStore) throws {
    try store.resolve(delivered: try store.batch(maximumEvents: count, maximumBytes: .max), deadLettered: [])
  }

  @Test("names its events in `eventId`: they keep their names, and get ids of their own")
  func names() throws {
    let store = try open()
    expectNoDifference(try names(store), ["home.view", "item.tap", "item.buy"])
    #expect(try Set(store.waitingIDs()).count == 3)
    let body = try #require(try store.batch(maximumEvents: 1, maximumBytes: .max).first?.body)
    let event = try JSONReader().value(body)
    expectNoDifference(event["payload"], ["item_id": 1, "name": "Tea"])
    expectNoDifference(event["eventTime"], 1_700_000_000_500)
  }

  @Test("may have a UUID in `eventId`: it stays the id, and the name is looked for in the payload")
  func uuid() throws {
    let id = "0198c0de-0000-7000-8000-000000000001"
    let blob = #"{"eventId":"\#(id)","eventTime":1,"payload":{"name":"elsewhere"}}"#
    try sample("DELETE FROM Tracking; INSERT INTO Tracking VALUES(9, '\(blob)')")
    let store = try open()
    expectNoDifference(try names(store), ["elsewhere"])
    expectNoDifference(try store.waitingIDs(), [EventID(id)])
  }

  @Test("loses each row with its event, and its table once no event waits that was taken over")
  func rowsGoOneByOne() throws {
    let store = try open()
    expectNoDifference(try rows(store), [1, 2, 3])
    try deliver(1, from: store)
    store.reclaimSpace()
    expectNoDifference(try rows(store), [2, 3])
    let bad = try store.batch(maximumEvents: 1, maximumBytes: .max).map { DeadLetter(event: $0, reason: "bad") }
    try store.resolve(delivered: [], deadLettered: bad)
    expectNoDifference(try rows(store), [3])
    _ = try store.append(
      [TrackingData(TrackingEvent(id: EventID(high: 1, low: 1), time: 1, name: "new", payload: [:]))], dropped: [:],
      inFlight: nil)
    try deliver(1, from: store)
    store.reclaimSpace()
    expectNoDifference(try rows(store), nil)
    expectNoDifference(try names(store), ["new"])
    expectNoDifference(try store.ledger(), TrackingLedger(accepted: 4, delivered: 2, deadLettered: 1, pending: 1))
  }

  @Test("goes at once where consent is denied")
  func denied() throws {
    try sample("INSERT INTO Tracking VALUES(7, 'unreadable')")
    let store = try open()
    expectNoDifference(try rows(store), [1, 2, 3, 7])
    #expect(try store.deleteAll(reason: .consentDenied) == 4)
    expectNoDifference(try rows(store), nil)
    #expect(try store.ledger().isBalanced)
  }

  @Test("keeps a row that is no event as a dead letter, which a retry leaves alone")
  func unreadableRow() throws {
    try sample("INSERT INTO Tracking VALUES(7, 'unreadable')")
    let store = try open()
    #expect(try store.retryDeadLetters() == 0)
    expectNoDifference(try store.deadLetters().map(\.canBeSent), [false])
    expectNoDifference(try names(store), ["home.view", "item.tap", "item.buy"])
  }

  @Test("loses its rows to the quota too")
  func quota() throws {
    let store = try SQLiteTrackingDataStore(file: file, quota: TrackerConfiguration.Quota(events: 1))
    _ = try store.append([], dropped: [:], inFlight: nil)
    expectNoDifference(try rows(store), [3])
    expectNoDifference(try store.ledger(), TrackingLedger(accepted: 3, dropped: [.quotaCount: 2], pending: 1))
  }

  @Test("is taken over once, however often it is opened")
  func once() throws {
    var ids: [[EventID]] = []
    for _ in 0..<3 {
      let store = try open()
      ids.append(try store.waitingIDs())
      expectNoDifference(try store.ledger(), TrackingLedger(accepted: 3, pending: 3))
      store.close()
    }
    expectNoDifference(Set(ids).count, 1)
  }

  @Test("may be used by the app's earlier version in between: what that delivered is not sent, what it added is")
  func wentBack() throws {
    do {
      let store = try open()
      try deliver(1, from: store)
      store.close()
    }
    try sample("DELETE FROM Tracking WHERE id = 2; INSERT INTO Tracking VALUES \(Self.row(4, "late"))")
    let store = try open()
    expectNoDifference(try names(store), ["item.buy", "late"])
    expectNoDifference(try store.ledger(), TrackingLedger(accepted: 4, delivered: 2, pending: 2))
    try deliver(2, from: store)
    store.reclaimSpace()
    expectNoDifference(try rows(store), nil)
  }

  @Test("may give a number again: the row is another one, and its event goes")
  func numberAgain() throws {
    try open().close()
    try sample("DELETE FROM Tracking WHERE id = 3; INSERT INTO Tracking VALUES \(Self.row(3, "again"))")
    let store = try open()
    expectNoDifference(try names(store), ["home.view", "item.tap", "again"])
    expectNoDifference(try rows(store), [1, 2, 3])
    expectNoDifference(try store.ledger(), TrackingLedger(accepted: 4, delivered: 1, pending: 3))
  }

  @Test("may lose its table: what was taken over waits on, and can be delivered")
  func tableGone() throws {
    try open().close()
    try sample("DROP TABLE Tracking")
    let store = try open()
    expectNoDifference(try names(store), ["home.view", "item.tap", "item.buy"])
    try deliver(3, from: store)
    expectNoDifference(try store.ledger(), TrackingLedger(accepted: 3, delivered: 3))
  }

  @Test("may get its table again after it was dropped: new rows are taken over")
  func tableAgain() throws {
    do {
      let store = try open()
      try deliver(3, from: store)
      store.reclaimSpace()
      store.close()
    }
    try sample(
      """
      CREATE TABLE Tracking(id INTEGER PRIMARY KEY AUTOINCREMENT, rawData BLOB);
      INSERT INTO Tracking VALUES \(Self.row(1, "home.view"))
      """)
    let store = try open()
    expectNoDifference(try names(store), ["home.view"])
    expectNoDifference(try store.ledger(), TrackingLedger(accepted: 4, delivered: 3, pending: 1))
  }

  @Test("does not expire by the age that the store had before")
  func age() throws {
    try sample("DELETE FROM Tracking")
    do {
      let store = try open()
      try store.setNote(NoteKey.age, TrackerConfiguration.Quota().age.inMilliseconds * 2)
      store.close()
    }
    try sample(
      """
      CREATE TABLE Tracking(id INTEGER PRIMARY KEY AUTOINCREMENT, rawData BLOB);
      INSERT INTO Tracking VALUES \(Self.row(1, "home.view"))
      """)
    let store = try open()
    #expect(try store.append([], dropped: [:], inFlight: nil) == [:])
    expectNoDifference(try names(store), ["home.view"])
  }
}
