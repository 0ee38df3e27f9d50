import CustomDump
import DualSendCore
import DualSendStoreTesting
import DualSendTesting
import Testing

@testable import DualSendTracking

/// What the store hands on from memory is what it would read from the disk.
@Suite("Events delivered from memory", .timeLimit(.minutes(5)))
struct RecentEventsTests {
  private static let quota = TrackerConfiguration.Quota(events: 300, bytes: 20 << 20, deadLetters: 5)

  private func events(_ count: Int, bytes: Int, _ random: inout SplitMix64) -> [TrackingData] {
    (0..<count).map { _ in
      let number = UInt64.random(in: 0..<1000, using: &random)
      return TrackingData(
        id: EventID(high: number, low: random.next()), time: Int64(number), name: "e\(number)",
        body: [UInt8](repeating: UInt8(number % 256), count: Int.random(in: 0...bytes, using: &random)))
    }
  }

  @Test("whatever happens to them, they are what a store of arrays says", arguments: UInt64(0)..<15)
  func anyOrder(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let memory = InMemoryTrackingDataStore(quota: Self.quota)
    var disk = try SQLiteTrackingDataStore(file: folder.file("db"), quota: Self.quota)
    // Some runs overflow what may stay in memory.
    let bytes = [10, 300, 150_000][Int(seed % 3)]
    var inFlight: ClosedRange<Int64>?
    for _ in 0..<120 {
      var start = Int64.min
      if Bool.random(using: &random), let waiting = memory.waitingSequences() {
        start = .random(in: waiting.lowerBound...(waiting.upperBound + 2), using: &random)
      }
      let (count, limit) = (
        Int.random(in: 1...150, using: &random), [1, 500, 20_000, .max].randomElement(using: &random) ?? 1
      )
      let batch = memory.batch(from: start, maximumEvents: count, maximumBytes: limit)
      expectNoDifference(try disk.batch(from: start, maximumEvents: count, maximumBytes: limit), batch)
      // Answers are for those that were handed out, now and then for some of them, or once more.
      let answered = Array(Int.random(in: 0..<4, using: &random) == 0 ? batch.filter { $0.sequence % 2 == 0 } : batch)
      switch Int.random(in: 0..<16, using: &random) {
      case 0..<6:
        let most = bytes < 1000 && Int.random(in: 0..<3, using: &random) == 0 ? 120 : 12
        let added = events(Int.random(in: 0...most, using: &random), bytes: bytes, &random)
        inFlight = batch.first.flatMap { first in batch.last.map { first.sequence...$0.sequence } }
        expectNoDifference(
          try disk.append(added, dropped: [:], inFlight: inFlight),
          memory.append(added, dropped: [:], inFlight: inFlight))
      case 6..<11:
        for store in [disk, memory] as [any TrackingDataStore] {
          try store.resolve(delivered: answered, deadLettered: [])
        }
      case 11:
        let letters = answered.prefix(2).map { DeadLetter(event: $0, reason: "no") }
        for store in [disk, memory] as [any TrackingDataStore] {
          try store.resolve(delivered: Array(answered.dropFirst(2)), deadLettered: letters)
        }
      case 12:
        for store in [disk, memory] as [any TrackingDataStore] { try store.recordFailedAttempt(batch) }
      case 13:
        for store in [disk, memory] as [any TrackingDataStore] { _ = try store.retryDeadLetters { _ in true } }
      case 14: disk.reclaimSpace()
      default:
        if Bool.random(using: &random) {
          for store in [disk, memory] as [any TrackingDataStore] { _ = try store.deleteAll(reason: .purged) }
        } else {
          disk.close()
          disk = try SQLiteTrackingDataStore(file: folder.file("db"), quota: Self.quota)
        }
      }
      expectNoDifference(try disk.ledger(), memory.ledger())
      expectNoDifference(try disk.waitingBytes(), memory.waitingBytes())
    }
  }

  @Test("nothing is read back while batches follow each other")
  func nothingIsRead() throws {
    var random = SplitMix64(seed: 1)
    let folder = try TemporaryFolder()
    let store = try SQLiteTrackingDataStore(file: folder.file("db"))
    for _ in 0..<5 {
      _ = try store.append(events(30, bytes: 100, &random), dropped: [:], inFlight: nil)
      let first = try #require(store.recent.current.batch(from: .min, maximumEvents: 20, maximumBytes: .max))
      let next = (first.last?.sequence ?? 0) + 1
      let second = try #require(store.recent.current.batch(from: next, maximumEvents: 10, maximumBytes: .max))
      expectNoDifference([first.count, second.count], [20, 10])
      try store.resolve(delivered: first, deadLettered: [])
      try store.resolve(delivered: second, deadLettered: [])
    }
    #expect(try store.batch(maximumEvents: 1, maximumBytes: 1).isEmpty)
  }

  @Test("they take a bounded space, and are handed on again once the backlog is gone")
  func bounded() throws {
    var random = SplitMix64(seed: 2)
    let folder = try TemporaryFolder()
    let store = try SQLiteTrackingDataStore(file: folder.file("db"))
    for _ in 0..<40 {
      _ = try store.append(events(10, bytes: 60_000, &random), dropped: [:], inFlight: nil)
    }
    #expect(store.recent.current.batch(from: .min, maximumEvents: 1, maximumBytes: 1) == nil)
    while case let batch = try store.batch(maximumEvents: 50, maximumBytes: .max), !batch.isEmpty {
      try store.resolve(delivered: batch, deadLettered: [])
    }
    _ = try store.append(events(10, bytes: 10, &random), dropped: [:], inFlight: nil)
    #expect(store.recent.current.batch(from: .min, maximumEvents: 100, maximumBytes: .max)?.count == 10)
  }
}
