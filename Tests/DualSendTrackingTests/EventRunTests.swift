import CustomDump
import DualSendCore
import DualSendStoreTesting
import DualSendTesting
import Foundation
import GRDB
import Testing

@testable import DualSendTracking

@Suite("Events that are committed together", .timeLimit(.minutes(5)))
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

  @Test("are stored again without those that are settled, and no others are")
  func splitting() throws {
    let store = try store()
    for start in [0, 10, 20] { _ = try store.append(events(start..<start + 10), dropped: [:], inFlight: nil) }
    let waiting = try all(store)
    try store.resolve(
      delivered: Array(waiting[10..<14]), deadLettered: [DeadLetter(event: waiting[15], reason: "no")])
    expectNoDifference(try rows(store), [10, 0, 4, 10])
    expectNoDifference(try all(store), Array(waiting[..<10] + waiting[14...14] + waiting[16...]))
    try store.recordFailedAttempt(Array(waiting[16..<23]))
    expectNoDifference(try rows(store), [10, 0, 4, 0, 0, 0, 7])
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

  @Test(
    "are all delivered if their row claims another number, and no others are lost",
    arguments: ["NULL", "0", "-1", "4", "26", "101", "1 << 62", "'x'"])
  func wrongCount(claimed: String) throws {
    let store = try store()
    for start in [0, 10, 20] { _ = try store.append(events(start..<start + 10), dropped: [:], inFlight: nil) }
    store.recent.withLock { $0.forget() }
    try store.database.write { try $0.execute(sql: "UPDATE event SET events = \(claimed) WHERE sequence = 20") }
    expectNoDifference(try all(store), numbered(events(0..<30)))
    expectNoDifference(try rows(store), [10, 10, 10])
    try store.resolve(delivered: try all(store), deadLettered: [])
    expectNoDifference(try store.ledger(), TrackingLedger(accepted: 30, delivered: 30))
  }

  @Test(
    "with impossible numbers are damage or deleted, and never end the process",
    arguments: ["NULL", "0", "-1", "2", "100", "101", "1 << 62", "'x'"], [Int64.min, .min + 3, 10, .max])
  func hostile(claimed: String, sequence: Int64) throws {
    let quota = TrackerConfiguration.Quota(events: 5)
    for step in 0..<5 {
      let file = folder.file("\(step)")
      var store = try SQLiteTrackingDataStore(file: file)
      _ = try store.append(events(0..<10), dropped: [:], inFlight: nil)
      store.close()
      store = try SQLiteTrackingDataStore(file: file)
      try store.database.write { db in
        try db.execute(sql: "UPDATE event SET sequence = \(sequence), events = \(claimed)")
        if step == 4 { try db.execute(sql: "UPDATE event SET checksum = 1") }
      }
      store.closeUnchanged()
      do throws(TrackingStoreError) {
        let opened = try SQLiteTrackingDataStore(file: file, quota: quota)
        switch step {
        case 0: _ = try opened.append(events(10..<11), dropped: [:], inFlight: 3...4)
        case 1:
          try opened.resolve(delivered: Array(try opened.batch(maximumEvents: 3, maximumBytes: .max)), deadLettered: [])
        case 2: try opened.recordFailedAttempt(try opened.batch(maximumEvents: 3, maximumBytes: .max))
        default: #expect(try opened.deleteAll(reason: .purged) == 10)
        }
        _ = try opened.waitingSequences()
        _ = try opened.retryDeadLetters()
        #expect(try opened.ledger().isBalanced)
      } catch {
        #expect(error.kind == .damaged)
      }
    }
  }

  @Test("keep the bytes of their names, also where two of them look the same")
  func names() throws {
    let spellings = ["caf\u{E9}", "cafe\u{301}"]
    let named = events(0..<8).map { event in
      TrackingData(id: event.id, time: event.time, name: spellings[Int(event.id.low % 2)], body: event.body)
    }
    let run = try #require(EventRun.packed(named).first?.run)
    let read = try #require(run.blob.withUnsafeBytes { EventRun(blob: $0) })
    expectNoDifference(read.events(last: 8).map { Array($0.name.utf8) }, named.map { Array($0.name.utf8) })
  }

  @Test(
    "that no tracker compressed become dead letters, in whole and in parts, and no others do", arguments: [1, 7, 500])
  func unreadable(batchEvents: Int) async throws {
    let store = try store()
    for start in [0, 25, 50] { _ = try store.append(events(start..<start + 25), dropped: [:], inFlight: nil) }
    try await store.database.write { db in
      let blob = try #require(try Data.fetchOne(db, sql: "SELECT body FROM event WHERE sequence = 50"))
      let hostile = blob.prefix(blob.count - 40) + Data(repeating: 0xFF, count: 40)
      let checksum = hostile.withUnsafeBytes { BodyChecksum.of($0) }
      try db.execute(
        sql: "UPDATE event SET body = ?, checksum = ? WHERE sequence = 50", arguments: [hostile, checksum])
    }
    store.close()
    let bench = try Bench(storage: .file(file)) {
      $0.digest = TrackerConfiguration.Digest(start: .onDemand, batchEvents: batchEvents)
    }
    let url = try #require(URL(string: "http://collector.test/events"))
    await bench.tracker.setEndpoint(TrackingEndpoint(url: url, compression: .none))
    await bench.tracker.flush()
    let others: [EventValue] = (events(0..<25) + events(50..<75)).map { .string($0.id.description) }
    expectNoDifference(bench.transport.events.map { $0["eventId"] }, others)
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 75, delivered: 50, deadLettered: 25))
    // They have no bodies, and must not be sent without.
    #expect(try await bench.tracker.retryDeadLetters() == 0)
    await bench.tracker.shutdown()
  }

  @Test("are adopted from another database with their attempts; damaged ones become dead letters")
  func adoption() throws {
    let left = folder.file("left.sqlite")
    var source = try SQLiteTrackingDataStore(file: left)
    for start in [0, 10, 20] { _ = try source.append(events(start..<start + 10), dropped: [:], inFlight: nil) }
    try source.recordFailedAttempt(try source.batch(maximumEvents: 10, maximumBytes: .max))
    source.close()
    source = try SQLiteTrackingDataStore(file: left)
    try source.database.write { try $0.execute(sql: "UPDATE event SET checksum = checksum + 1 WHERE sequence = 20") }
    source.closeUnchanged()
    let store = try store()
    store.adopt([left], of: [nil])
    #expect(!FileManager.default.fileExists(atPath: left.path))
    expectNoDifference(try rows(store), [10, 10])
    let expected = events(0..<10) + events(20..<30)
    expectNoDifference(try all(store).map(\.body), expected.map(\.body))
    expectNoDifference(try all(store).map(\.attempts), Array(repeating: 1, count: 10) + Array(repeating: 0, count: 10))
    expectNoDifference(try store.ledger(), TrackingLedger(accepted: 30, deadLettered: 10, pending: 20))
  }

  @Test("take no more space when some of them are delivered", arguments: [1, 20, 50, 99])
  func space(batchEvents: Int) throws {
    let store = try store()
    _ = try store.append(events(0..<1000), dropped: [:], inFlight: nil)
    func pages() throws -> Int { try store.database.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 } }
    let before = try pages()
    for _ in 0..<10 {
      let batch = try store.batch(maximumEvents: batchEvents, maximumBytes: .max)
      try store.resolve(delivered: batch, deadLettered: [])
      #expect(try pages() <= before)
    }
    expectNoDifference(try all(store), Array(numbered(events(0..<1000)).dropFirst(10 * batchEvents)))
  }

  @Test("are sent as they are stored, in whole runs", arguments: [TrackingEndpoint.Compression.deflate, .gzip])
  func joined(compression: TrackingEndpoint.Compression) throws {
    let format: Zlib.Format = compression == .gzip ? .gzip : .deflate
    let long = EventRun.asDelivered(EventRun.packed(events(0..<250)), from: 1)
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

  @Test("of one whose bodies exceed what a run may hold have a row each")
  func large() throws {
    let large = (0..<5).map { number in
      TrackingData(
        id: EventID(high: 1, low: UInt64(number)), time: 0, name: "n",
        body: Array(repeating: UInt8(number), count: 30_000))
    }
    let store = try store()
    _ = try store.append(large, dropped: [:], inFlight: nil)
    expectNoDifference(try rows(store), Array(repeating: 0, count: 5))
    expectNoDifference(try all(store), numbered(large))
  }

  @Test("are one request's body as they are stored, from memory and from the disk", arguments: [true, false])
  func requestBody(isReopened: Bool) async throws {
    let transport = ScriptedTransport()
    let bench = try Bench(transport, storage: .file(file)) { $0.digest.start = .onDemand }
    for event in events(0..<100) { bench.tracker.sendLog(name: event.name, payload: event.payload) }
    await bench.tracker.persist()
    if isReopened { await bench.tracker.shutdown(timeout: .zero) }
    let sending = isReopened ? try Bench(transport, storage: .file(file)) : bench
    await sending.tracker.flush()
    let request = try #require(transport.requests.first)
    // A joined stream begins with a stored block.
    expectNoDifference(
      Array(try #require(request.body).prefix(8)), [0x78, 0x5E, 0, 1, 0, 0xFE, 0xFF, UInt8(ascii: "[")])
    await sending.tracker.shutdown()
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
