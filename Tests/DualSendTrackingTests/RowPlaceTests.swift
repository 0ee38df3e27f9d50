import CustomDump
import DualSendCore
import Foundation
import GRDB
import Testing

@testable import DualSendTracking

@Suite("A row that is not as it was written", .timeLimit(.minutes(5)))
struct RowPlaceTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("db") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Events whose ids and names say their number.
  private func events(_ numbers: Range<Int>) -> [TrackingData] {
    numbers.map { number in
      TrackingData(
        TrackingEvent(
          id: EventID(high: 1, low: UInt64(number)), time: 1, name: "event \(number)",
          payload: ["text": .string(String(repeating: "x", count: 50))]))
    }
  }

  /// A database of 300 events in three rows, changed by a statement, as the next launch opens it.
  private func store(_ sql: String, quota: TrackerConfiguration.Quota = .init()) throws -> SQLiteTrackingDataStore {
    let first = try SQLiteTrackingDataStore(file: file)
    for start in [0, 100, 200] { _ = try first.append(events(start..<start + 100), dropped: [:], inFlight: nil) }
    first.close()
    try DatabaseQueue(path: file.path).write { try $0.execute(sql: sql) }
    return try SQLiteTrackingDataStore(file: file, quota: quota)
  }

  @Test(
    "costs no event, whatever number it has",
    arguments: [
      "UPDATE event SET sequence = 1000 WHERE sequence = 200", "UPDATE event SET sequence = 250 WHERE sequence = 100",
      "UPDATE event SET sequence = 3 WHERE sequence = 300", "UPDATE event SET sequence = -77 WHERE sequence = 200",
      "UPDATE event SET sequence = 201 WHERE sequence = 200", "UPDATE event SET events = 1 WHERE sequence = 200",
      "UPDATE event SET events = 99 WHERE sequence = 200", "UPDATE event SET events = NULL WHERE sequence = 300",
      "UPDATE event SET events = 37, sequence = 180 WHERE sequence = 200",
    ])
  func readable(sql: String) throws {
    let store = try store(sql)
    let waiting = try store.batch(maximumEvents: .max, maximumBytes: .max)
    expectNoDifference(waiting.filter(\.isDamaged).count, 0)
    expectNoDifference(Set(waiting.map(\.name)), Set(events(0..<300).map(\.name)))
    expectNoDifference(waiting.map(\.sequence), waiting.map(\.sequence).sorted())
    expectNoDifference(try store.ledger(), TrackingLedger(accepted: 300, pending: 300))
    expectNoDifference(try store.waitingBytes(), waiting.reduce(0) { $0 + $1.body.count })
    try store.resolve(delivered: waiting, deadLettered: [])
    expectNoDifference(try store.ledger(), TrackingLedger(accepted: 300, delivered: 300))
    #expect(try store.waitingSequences() == nil)
  }

  @Test(
    "is not counted for more than it holds when it must go",
    arguments: [
      "UPDATE event SET events = 100 - 1 WHERE sequence = 100", "UPDATE event SET events = 1 WHERE sequence = 100",
      "UPDATE event SET sequence = 150 WHERE sequence = 100",
    ])
  func eviction(sql: String) throws {
    let store = try store(sql, quota: TrackerConfiguration.Quota(events: 250))
    let evicted = try store.append(events(300..<301), dropped: [:], inFlight: nil)
    let left = try store.batch(maximumEvents: .max, maximumBytes: .max)
    expectNoDifference(left.count, 250)
    expectNoDifference(evicted, [.quotaCount: 51])
    expectNoDifference(
      try store.ledger(), TrackingLedger(accepted: 301, dropped: [.quotaCount: 51], pending: 250))
    expectNoDifference(try store.waitingBytes(), left.reduce(0) { $0 + $1.body.count })
  }
}
