import CustomDump
import DualSendCore
import DualSendTesting
import Foundation
import GRDB
import Testing

@testable import DualSendTracking

/// Damage to an event's bytes alone, which SQLite does not see.
@Suite("An event whose body is damaged while it waits", .timeLimit(.minutes(5)))
struct DamagedBodyTests {
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("events.sqlite")
  }

  private func fill(_ file: URL) throws {
    let store = try SQLiteTrackingDataStore(file: file)
    let events = ["a", "b", "c"].map { name in
      TrackingData(
        TrackingEvent(id: EventID(high: 1, low: UInt64(name.utf8.first ?? 0)), time: 1, name: name, payload: ["n": 1]))
    }
    _ = try store.append(events, dropped: [:], inFlight: nil)
    store.close()
  }

  private func execute(_ sql: String) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  @Test(
    "is not sent, becomes a dead letter, and is counted",
    arguments: [
      "UPDATE event SET body = CAST('{\"eventId\":' AS BLOB) WHERE name = 'b'",
      // As large and as valid as before.
      "UPDATE event SET body = CAST(replace(CAST(body AS TEXT), ':1}', ':2}') AS BLOB) WHERE name = 'b'",
    ])
  func isDeadLettered(sql: String) async throws {
    try fill(file)
    try execute(sql)
    let bench = try Bench(storage: .file(file))
    let outcomes = bench.tracker.outcomes()
    await bench.tracker.flush()
    expectNoDifference(bench.receivedNames, ["a", "c"])
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 3, delivered: 2, deadLettered: 1))
    let letter = await outcomes.first { outcome in
      if case .deadLettered(let event, let reason) = outcome { "\(event.name): \(reason)" } else { nil }
    }
    expectNoDifference(letter, "b: damaged while it waited")
    #expect(try await bench.tracker.retryDeadLetters() == 0)
  }

  @Test("does not keep the others back where all before it are damaged")
  func allDamaged() async throws {
    try fill(file)
    try execute("UPDATE event SET body = x'00' WHERE name <> 'c'")
    let bench = try Bench(storage: .file(file)) { $0.digest.batchEvents = 1 }
    await bench.tracker.flush()
    expectNoDifference(bench.receivedNames, ["c"])
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 3, delivered: 1, deadLettered: 2))
  }

  @Test("is a dead letter too where another tracker left it")
  func leftover() throws {
    let leftover = folder.file("events-2.sqlite")
    try fill(leftover)
    let queue = try DatabaseQueue(path: leftover.path)
    try queue.write { try $0.execute(sql: "UPDATE event SET body = x'7b' WHERE name = 'b'") }
    try queue.close()
    let store = try TrackerConfiguration.StoreLocation.file(file).open(
      quota: TrackerConfiguration.Quota(), time: .system)
    expectNoDifference(try store.batch(maximumEvents: 9, maximumBytes: .max).map(\.name), ["a", "c"])
    expectNoDifference(try store.deadLetters().map(\.reason), [DeadLetter.damaged])
    expectNoDifference(try store.ledger(), TrackingLedger(accepted: 3, deadLettered: 1, pending: 2))
  }
}

@Suite("The checksum of a body", .timeLimit(.minutes(5)))
struct BodyChecksumTests {
  private func checksum(_ text: String) -> Int64 { Array(text.utf8).withUnsafeBytes { BodyChecksum.of($0) } }

  @Test("is the same in every version, because it stands in files")
  func standing() {
    expectNoDifference(checksum(""), 0)
    expectNoDifference(checksum(#"{"eventName":"a"}"#), 2_635_606_413)
    expectNoDifference(
      checksum(#"{"eventId":"0190b6f2","eventName":"home.view","eventTime":1}"#), 442_549_350)
  }

  @Test("changes with every bit")
  func everyBit() {
    let body = Array(#"{"eventId":"0190b6f2","eventName":"home.view","eventTime":1}"#.utf8)
    let sums = (0..<body.count * 8).map { bit in
      var damaged = body
      damaged[bit / 8] ^= 1 << (bit % 8)
      return damaged.withUnsafeBytes { BodyChecksum.of($0) }
    }
    #expect(!sums.contains(body.withUnsafeBytes { BodyChecksum.of($0) }))
    #expect(Set(sums).count == sums.count)
  }
}
