import CustomDump
import DualSendCore
import DualSendStoreTesting
import DualSendTesting
import Foundation
import GRDB
import Testing

@testable import DualSendTracking

@Suite("The stores", .timeLimit(.minutes(5)))
struct StoreTests {
  @Test("of arrays keeps every promise", arguments: TrackingDataStoreConformance.checks)
  func arrays(check: TrackingDataStoreConformance.Check) throws {
    try check.run { InMemoryTrackingDataStore(quota: $0) }
  }

  @Test("SQLite keeps every promise in memory", arguments: TrackingDataStoreConformance.checks)
  func inMemory(check: TrackingDataStoreConformance.Check) throws {
    try check.run { try SQLiteTrackingDataStore(inMemoryWithQuota: $0) }
  }

  @Test("SQLite keeps every promise on disk", arguments: TrackingDataStoreConformance.checks)
  func sqlite(check: TrackingDataStoreConformance.Check) throws {
    let folder = try TemporaryFolder()
    try check.run { try SQLiteTrackingDataStore(file: folder.file("\(UUID()).sqlite"), quota: $0) }
  }

  private func event(_ name: String) -> TrackingData {
    var generator = EventIDGenerator()
    return TrackingData(
      TrackingEvent(id: EventID(milliseconds: 5, using: &generator), time: 5, name: name, payload: ["key": "value"]))
  }

  @Test("an event comes back from the disk as it was, after the database was closed")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let original = event("a")
    _ = try SQLiteTrackingDataStore(file: folder.file("db")).append([original], dropped: [:], inFlight: nil)
    var found = try SQLiteTrackingDataStore(file: folder.file("db")).batch(maximumEvents: 1, maximumBytes: 1)
    found[0].sequence = 0
    expectNoDifference(found, [original])
  }

  @Test("an event expires by time in the process, whatever the wall clock does")
  func age() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    let quota = TrackerConfiguration.Quota(age: .seconds(100))
    let store = try SQLiteTrackingDataStore(file: folder.file("db"), quota: quota, time: clock.timeSource)
    _ = try store.append([event("old")], dropped: [:], inFlight: nil)
    clock.jumpWall(by: .seconds(10 * 365 * 86_400))
    #expect(try store.append([event("b")], dropped: [:], inFlight: nil).isEmpty)
    clock.jumpWall(by: .seconds(-20 * 365 * 86_400))
    #expect(try store.append([event("c")], dropped: [:], inFlight: nil).isEmpty)
    clock.advance(by: .seconds(101))
    expectNoDifference(try store.append([event("d")], dropped: [:], inFlight: nil), [.quotaAge: 3])
  }

  @Test("a gap between launches counts, but a jump of ten years counts as a week and one back as nothing")
  func ageAcrossLaunches() throws {
    let clock = ManualClock()
    let wall = clock.timeSource.wallMilliseconds()
    let day: Int64 = 86_400_000
    #expect(AgeClock(time: clock.timeSource, age: 50, wall: wall - day).now() == 50 + day)
    #expect(AgeClock(time: clock.timeSource, age: 50, wall: wall - 3650 * day).now() == 50 + 7 * day)
    #expect(AgeClock(time: clock.timeSource, age: 50, wall: wall + 3650 * day).now() == 50)
    #expect(AgeClock(time: clock.timeSource, age: nil, wall: nil).now() == 0)
    // With a later uptime, whatever the wall clock says; with an earlier one, after a reboot.
    #expect(AgeClock(time: clock.timeSource, age: 50, wall: wall - 10 * day, uptime: 999_000).now() == 1_050)
    #expect(AgeClock(time: clock.timeSource, age: 50, wall: wall - day, uptime: 2_000_000).now() == 50 + day)
  }

  @Test("the sample tracker's table is taken over in order; what cannot be read becomes a dead letter")
  func sampleTable() throws {
    let folder = try TemporaryFolder()
    let id = "0190b6f2-7c3a-7f00-8000-0123456789ab"
    let queue = try DatabaseQueue(path: folder.file("db").path)
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE Tracking(id INTEGER PRIMARY KEY AUTOINCREMENT, rawData BLOB)")
      for blob in [
        #"{"eventId":"\#(id)","eventTime":1700000000123,"payload":{"eventName":"first","n":1}}"#,
        "not json",
        #"{"eventId":"x","eventTime":1700000000,"payload":{}}"#,
      ] {
        try db.execute(sql: "INSERT INTO Tracking(rawData) VALUES(?)", arguments: [Data(blob.utf8)])
      }
    }
    try queue.close()
    let store = try SQLiteTrackingDataStore(file: folder.file("db"))
    let events = try store.batch(maximumEvents: 10, maximumBytes: .max)
    expectNoDifference(events.map(\.name), ["first", "x"])
    expectNoDifference(events.map(\.time), [1_700_000_000_123, 1_700_000_000_000])
    expectNoDifference(events.first?.id.description, id)
    expectNoDifference(try store.deadLetters().map { String(decoding: $0.event.body, as: UTF8.self) }, ["not json"])
    expectNoDifference(try store.ledger(), TrackingLedger(accepted: 3, deadLettered: 1, pending: 2))
  }

  @Test("a damaged database is set aside with its WAL, counted, and replaced")
  func damaged() async throws {
    let folder = try TemporaryFolder()
    try Data("this is not a database, but long enough to look at".utf8).write(to: folder.file("db"))
    try Data("old".utf8).write(to: folder.file("db-wal"))
    let bench = try Bench(storage: .file(folder.file("db")))
    bench.tracker.sendLog(name: "a", payload: [:])
    await bench.tracker.flush()
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 1, delivered: 1, databasesSetAside: 1))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names.contains("db.damaged-1"))
    #expect(names.contains("db.damaged-1-wal"))
  }

  @Test(
    "a database with damage that SQLite does not see is set aside too",
    arguments: [
      "UPDATE grdb_migrations SET identifier = 'x' WHERE identifier LIKE '1:%'", "DELETE FROM event",
    ])
  func damagedInSilence(sql: String) async throws {
    let folder = try TemporaryFolder()
    do {
      let store = try SQLiteTrackingDataStore(file: folder.file("db"))
      // With a drop, so that the ledger counts the event.
      let event = TrackingData(id: EventID(high: 1, low: 1), time: 1, name: "a", body: Array("{}".utf8))
      _ = try store.append([event], dropped: [.inboxFull: 1], inFlight: nil)
    }
    let queue = try DatabaseQueue(path: folder.file("db").path)
    try await queue.write { try $0.execute(sql: sql) }
    try queue.close()
    // Rather than that nothing waits, which a flush would take for delivered.
    #expect(throws: TrackingStoreError.self) {
      try SQLiteTrackingDataStore(file: folder.file("db")).waitingSequences()
    }
    let bench = try Bench(storage: .file(folder.file("db")))
    bench.tracker.sendLog(name: "b", payload: [:])
    await bench.tracker.shutdown()
    let ledger = await bench.tracker.statistics.ledger
    #expect(ledger.databasesSetAside == 1 && ledger.pending == 0 && ledger.isBalanced, "\(ledger)")
    #expect(FileManager.default.fileExists(atPath: folder.file("db.damaged-1").path))
  }

  @Test("where no folder can be made or written, events are delivered from memory, and the statistics say so")
  func unusableFolder() async throws {
    let folder = try TemporaryFolder()
    try Data().write(to: folder.file("file"))
    let bench = try Bench(storage: .file(folder.file("file").appendingPathComponent("db")))
    let outcomes = bench.tracker.outcomes()
    bench.tracker.sendLog(name: "a", payload: [:])
    #expect(await bench.tracker.persist() == 1)
    #expect(await bench.tracker.flush().sent == 1)
    let statistics = await bench.tracker.statistics
    #expect(statistics.ledger == TrackingLedger(accepted: 1, delivered: 1))
    #expect(statistics.inMemoryBecause?.kind == .unusableFolder)
    let failure = await outcomes.first { if case .storeFailed(let error) = $0 { error.kind } else { nil } }
    #expect(failure == .unusableFolder)
    let other = try Bench()
    #expect(await other.tracker.statistics.inMemoryBecause == nil)
  }

  @Test("the folder is tried again, and gets what is in memory", arguments: [true, false])
  func folderAgain(isAsked: Bool) async throws {
    let folder = try TemporaryFolder()
    let place = folder.file("place")
    try Data().write(to: place)
    let bench = try Bench(storage: .file(place.appendingPathComponent("db"))) { $0.consent = .pending }
    bench.tracker.sendLog(name: "a")
    #expect(await bench.tracker.persist() == 1)
    try FileManager.default.removeItem(at: place)
    if !isAsked { bench.clock.advance(by: .seconds(60)) }
    bench.tracker.sendLog(name: "b")
    if isAsked { #expect(await bench.tracker.persist() == 0) }
    while await bench.tracker.statistics.inMemoryBecause != nil, !Task.isCancelled { await Task.yield() }
    await bench.tracker.shutdown(timeout: .zero)
    let names = try SQLiteTrackingDataStore(file: place.appendingPathComponent("db"))
      .batch(maximumEvents: 9, maximumBytes: .max).map(\.name)
    #expect(names == ["a", "b"])
  }

}
