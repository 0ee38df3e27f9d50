import CustomDump
import DualSendCore
import DualSendTesting
import Foundation
import GRDB
import Testing

@testable import DualSendTracking

@Suite("Events that are committed together")
struct EventRunTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("events.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func events(_ numbers: Range<Int>) -> [TrackingData] {
    numbers.map { number in
      let payload: [String: EventValue] = [
        "text": .string(String(repeating: "a word ", count: 1 + number % 40)), "number": .int(Int64(number)),
      ]
      return TrackingData(
        TrackingEvent(
          id: EventID(high: 7, low: UInt64(number)), time: Int64(number * 31 - 400), name: "e\(number % 3)",
          payload: payload))
    }
  }

  private func store() throws -> SQLiteTrackingDataStore { try SQLiteTrackingDataStore(file: file) }

  private func all(_ store: SQLiteTrackingDataStore) throws -> [TrackingData] {
    try store.batch(maximumEvents: .max, maximumBytes: .max)
  }

  /// How many events each row holds; 0 for a row of a single event.
  private func rows(_ store: SQLiteTrackingDataStore) throws -> [Int] {
    try store.database.read { try Int.fetchAll($0, sql: "SELECT ifnull(events, 0) FROM event ORDER BY sequence") }
  }

  private func numbered(_ events: [TrackingData], from first: Int64 = 1) -> [TrackingData] {
    events.enumerated().map { index, event in
      var event = event
      event.sequence = first + Int64(index)
      return event
    }
  }

  @Test(
    "are one row for up to 100 of them, from four on",
    arguments: [(1, [0]), (3, [0, 0, 0]), (4, [4]), (100, [100]), (101, [50, 51]), (450, [90, 90, 90, 90, 90])])
  func rows(count: Int, expected: [Int]) throws {
    var store = try store()
    _ = try store.append(events(0..<count), dropped: [:], inFlight: nil)
    expectNoDifference(try rows(store), expected)
    for _ in 0..<2 {
      expectNoDifference(try all(store), numbered(events(0..<count)))
      expectNoDifference(try store.ledger(), TrackingLedger(accepted: count, pending: count))
      expectNoDifference(try store.waitingIDs(), events(0..<count).map(\.id))
      expectNoDifference(try store.waitingSequences(), 1...Int64(count))
      // From the disk.
      store = try self.store()
    }
  }

  @Test("stay single rows where compression gains nothing")
  func incompressible() throws {
    var random = SplitMix64(seed: 3)
    let store = try store()
    let noise = (0..<8).map { number in
      TrackingData(
        id: EventID(high: 1, low: UInt64(number)), time: 0, name: "n",
        body: (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
    _ = try store.append(noise, dropped: [:], inFlight: nil)
    expectNoDifference(try rows(store), Array(repeating: 0, count: 8))
    expectNoDifference(try all(store), numbered(noise))
  }

  @Test("become rows of their own where only some of them are settled, and no others do")
  func opening() throws {
    let store = try store()
    for start in [0, 10, 20] { _ = try store.append(events(start..<start + 10), dropped: [:], inFlight: nil) }
    let waiting = try all(store)
    try store.resolve(
      delivered: Array(waiting[10..<14]), deadLettered: [DeadLetter(event: waiting[15], reason: "no")])
    expectNoDifference(try rows(store), [10, 0, 0, 0, 0, 0, 10])
    expectNoDifference(try all(store), Array(waiting[..<10] + waiting[14...14] + waiting[16...]))
    try store.recordFailedAttempt(Array(waiting[16..<23]))
    expectNoDifference(try rows(store), [10] + Array(repeating: 0, count: 15))
    try store.recordFailedAttempt(Array(waiting[..<10]))
    expectNoDifference(try rows(store).first, 10)
    let attempts = Array(repeating: 1, count: 10) + [0] + Array(repeating: 1, count: 7) + Array(repeating: 0, count: 7)
    expectNoDifference(try all(store).map(\.attempts), attempts)
    expectNoDifference(try store.waitingBytes(), try all(store).reduce(0) { $0 + $1.body.count })
  }

  @Test("are evicted one by one, so that the newest always stay", arguments: 1...25)
  func quota(limit: Int) throws {
    let quota = TrackerConfiguration.Quota(events: limit)
    let (disk, memory) = (
      try SQLiteTrackingDataStore(file: file, quota: quota), InMemoryTrackingDataStore(quota: quota)
    )
    for start in [0, 10, 20] {
      for store in [disk, memory] as [any TrackingDataStore] {
        _ = try store.append(events(start..<start + 10), dropped: [:], inFlight: start == 0 ? 3...5 : 12...13)
      }
      expectNoDifference(try all(disk), try memory.batch(maximumEvents: .max, maximumBytes: .max))
      expectNoDifference(try disk.ledger(), memory.ledger())
    }
  }

  @Test("cost one another if their row is damaged, and no others", arguments: ["body", "checksum"])
  func damage(column: String) throws {
    var store = try store()
    for start in [0, 10, 20] { _ = try store.append(events(start..<start + 10), dropped: [:], inFlight: nil) }
    store.close()
    store = try self.store()
    let sql =
      column == "body"
      ? "UPDATE event SET body = CAST(x'0A' || substr(body, 2, 60) || x'00' || substr(body, 62) AS BLOB)"
      : "UPDATE event SET checksum = checksum + 1"
    try store.database.write { try $0.execute(sql: sql + " WHERE sequence = 20") }
    let waiting = try all(store)
    expectNoDifference(waiting.map(\.sequence), Array(1...30))
    expectNoDifference(waiting.filter(\.isDamaged).map(\.sequence), Array(11...20))
    // Some of them, then the others.
    for part in [waiting[11..<13], waiting[10..<20]] {
      try store.resolve(delivered: [], deadLettered: part.map { DeadLetter(event: $0, reason: DeadLetter.damaged) })
    }
    expectNoDifference(try all(store), waiting.filter { !$0.isDamaged })
    expectNoDifference(try store.ledger(), TrackingLedger(accepted: 30, deadLettered: 10, pending: 20))
    expectNoDifference(try store.waitingBytes(), try all(store).reduce(0) { $0 + $1.body.count })
  }

  @Test("are read in no other way than they were written", arguments: 0..<200)
  func anyByte(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let run = try #require(EventRun.packed(events(0..<12)).first?.run)
    var blob = run.blob
    let read = try #require(blob.withUnsafeBytes { EventRun(blob: $0) })
    expectNoDifference(read.events(last: 12), numbered(events(0..<12)))
    // A change that the checksum would find must not end the process either.
    if seed % 2 == 0 {
      blob[random.number(below: blob.count)] ^= UInt8(1 + random.number(below: 255))
    } else {
      blob.removeLast(1 + random.number(below: blob.count))
    }
    if let hostile = blob.withUnsafeBytes({ EventRun(blob: $0) }) {
      for event in hostile.events(last: 12) { _ = event.body }
    }
  }

  @Test("ask for no more memory than their bytes can fill")
  func hugeLength() {
    // One event: two checksums, a name, an id, the name's index, a time, the body's length, ten compressed bytes.
    let head: [UInt8] = [1] + Array(repeating: 0, count: 8) + [1, 1, 0x65] + Array(repeating: 0, count: 16) + [0, 0]
    for (length, isPossible) in [([0x40], true), ([0xFF, 0xFF, 0xFF, 0xFF, 0x07], false)] as [([UInt8], Bool)] {
      let blob: [UInt8] = head + length + Array(repeating: 0, count: 10)
      #expect((blob.withUnsafeBytes { EventRun(blob: $0) } != nil) == isPossible)
    }
  }

  @Test("a row that claims an impossible number of events is damage", arguments: ["0", "-1", "101", "1 << 62", "'x'"])
  func impossible(events count: String) throws {
    let store = try store()
    _ = try store.append(events(0..<10), dropped: [:], inFlight: nil)
    store.recent.withLock { $0.forget() }
    try store.database.write { try $0.execute(sql: "UPDATE event SET events = \(count)") }
    #expect { _ = try all(store) } throws: { ($0 as? TrackingStoreError)?.kind == .damaged }
  }

  @Test("are sent as they are stored, in whole runs", arguments: [TrackingEndpoint.Compression.deflate, .gzip])
  func joined(compression: TrackingEndpoint.Compression) throws {
    let format: Zlib.Format = compression == .gzip ? .gzip : .deflate
    let long = EventRun.asDelivered(EventRun.packed(events(0..<250)))
    let single = events(250..<253)
    for batch in [long, single + long, long + single, Array(long.dropFirst(5)), Array(long[..<90]) + single] {
      let body = try #require(JoinedRuns.body(of: batch, as: format, longerThan: 0))
      let plain = try Zlib.decompress(body, limit: 1 << 20)
      expectNoDifference(
        String(decoding: plain, as: UTF8.self),
        "[" + batch.map { String(decoding: $0.body, as: UTF8.self) }.joined(separator: ",") + "]")
    }
    #expect(JoinedRuns.body(of: single, as: format, longerThan: 0) == nil)
    #expect(JoinedRuns.body(of: long, as: format, longerThan: 1 << 20) == nil)
    expectNoDifference(Array(long[..<200]).withoutCutRun().count, 166)
    expectNoDifference(Array(long[..<20]).withoutCutRun().count, 20)
  }

  @Test("reach the collector in order, and one that it refuses costs no other", arguments: [true, false])
  func delivery(isReopened: Bool) async throws {
    let refused = EventID(high: 7, low: 130)
    let transport = ScriptedTransport { _ in
      .success(.status(200, body: "{\"rejected\":[{\"eventId\":\"\(refused)\",\"reason\":\"no\"}]}"))
    }
    let before = try store()
    _ = try before.append(events(0..<250), dropped: [:], inFlight: nil)
    if isReopened { before.close() } else { before.closeUnchanged() }
    let bench = try Bench(transport, storage: .file(file)) { $0.digest.batchEvents = 120 }
    await bench.tracker.flush()
    let texts: [EventValue] = events(0..<250).map { .string($0.id.description) }
    expectNoDifference(transport.events.map { $0["eventId"] }, texts)
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 250, delivered: 249, deadLettered: 1))
    await bench.tracker.shutdown()
  }
}
