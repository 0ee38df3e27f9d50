import CustomDump
import DualSendCore
import Foundation
import GRDB
import Testing

@testable import DualSendTracking

@Suite("Events that are stored without a change of the ledger", .timeLimit(.minutes(5)))
struct UncountedEventsTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("db") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func event(_ number: Int) -> TrackingData {
    TrackingData(TrackingEvent(id: EventID(high: 1, low: UInt64(number)), time: 1, name: "a", payload: [:]))
  }

  private func store(_ quota: TrackerConfiguration.Quota = .init()) throws -> SQLiteTrackingDataStore {
    try SQLiteTrackingDataStore(file: file, quota: quota)
  }

  private func counter(_ name: String, _ store: SQLiteTrackingDataStore) throws -> Int? {
    try store.database.read { db in
      try Int.fetchOne(db, sql: "SELECT value FROM ledger WHERE counter = ?", arguments: [name])
    }
  }

  private var logBytes: Int64 { FileSize.of(URL(fileURLWithPath: file.path + "-wal")) }

  @Test("a commit of one event writes one page and its header")
  func onePage() throws {
    let store = try store()
    _ = try store.append([event(0)], dropped: [:], inFlight: nil)
    for number in 1...5 {
      let before = logBytes
      _ = try store.append([event(number)], dropped: [:], inFlight: nil)
      #expect(logBytes - before == StoreFormat.pageSize + 24)
    }
  }

  @Test("they count as accepted and pending, after a crash too, and once", arguments: [1, 63, 64, 65, 200])
  func counts(count: Int) throws {
    var store = try store()
    for number in 0..<count { _ = try store.append([event(number)], dropped: [:], inFlight: nil) }
    let bytes = count * event(0).body.count
    // Not closed: whatever a process has committed when it ends is all there is.
    for _ in 0..<2 {
      expectNoDifference(try store.ledger(), TrackingLedger(accepted: count, pending: count))
      #expect(try store.waitingBytes() == bytes)
      #expect(try store.batch(maximumEvents: .max, maximumBytes: .max).map(\.sequence) == Array(1...Int64(count)))
      store = try self.store()
    }
    #expect(try count - (counter("accepted", store) ?? 0) <= UncountedEvents.limit)
    _ = try store.append([event(count)], dropped: [.inboxFull: 2], inFlight: nil)
    #expect(try counter("lastSequence", store) == count + 1)
    #expect(try counter("pendingBytes", store) == bytes + event(count).body.count)
    expectNoDifference(
      try store.ledger(), TrackingLedger(accepted: count + 3, dropped: [.inboxFull: 2], pending: count + 1))
  }

  @Test("they are counted when one is delivered, fails, is purged or evicted")
  func settled() throws {
    let store = try store(TrackerConfiguration.Quota(events: 10))
    for number in 0..<12 { _ = try store.append([event(number)], dropped: [:], inFlight: nil) }
    expectNoDifference(try store.ledger(), TrackingLedger(accepted: 12, dropped: [.quotaCount: 2], pending: 10))
    let batch = try store.batch(maximumEvents: 4, maximumBytes: .max)
    try store.resolve(
      delivered: Array(batch.prefix(3)), deadLettered: batch.suffix(1).map { DeadLetter(event: $0, reason: "no") })
    _ = try store.append([event(12)], dropped: [:], inFlight: nil)
    #expect(try store.retryDeadLetters() == 1)
    _ = try store.append([event(13)], dropped: [:], inFlight: nil)
    expectNoDifference(
      try store.ledger(), TrackingLedger(accepted: 14, delivered: 3, dropped: [.quotaCount: 2], pending: 9))
    #expect(try store.deleteAll(reason: .purged) == 9)
    expectNoDifference(
      try store.ledger(),
      TrackingLedger(accepted: 14, delivered: 3, dropped: [.quotaCount: 2, .purged: 9], pending: 0))
  }

  @Test("the clocks are noted again after a minute, or when the wall clock was changed")
  func clocks() throws {
    let store = try store()
    func noted(_ age: Int64, _ wall: Int64) throws -> [Int64?] {
      try store.database.write { db in
        try db.noteAge(age, wall: wall)
        return [try db.storedNote(NoteKey.age), try db.storedNote(NoteKey.wall)]
      }
    }
    #expect(try noted(1000, 5_000_000) == [1000, 5_000_000])
    #expect(try noted(60_999, 5_059_999) == [1000, 5_000_000])
    #expect(try noted(61_000, 5_059_999) == [61_000, 5_059_999])
    #expect(try noted(61_001, 4_000_000) == [61_001, 4_000_000])
    #expect(try noted(61_002, 9_000_000) == [61_002, 9_000_000])
    #expect(try noted(.max, .min) == [.max, .min])
  }
}
