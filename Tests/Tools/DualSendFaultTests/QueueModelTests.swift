import DualSendCore
import DualSendTracking
import Foundation
import Testing

@Suite("Random operations on a store", .timeLimit(.minutes(5)))
struct QueueModelTests {
  private static let operationsPerCase = 40

  @Test("in memory do what the reference model says")
  func inMemory() throws {
    try hold("memory", cases: 300 * FaultRun.factor) {
      // One store for each list of operations: it has nothing to reopen.
      var store: SQLiteTrackingDataStore?
      return { quota, time in
        let opened = try store ?? SQLiteTrackingDataStore(inMemoryWithQuota: quota, time: time)
        store = opened
        return opened
      }
    }
  }

  @Test("in SQLite do what the reference model says, across reopening too", arguments: [(1, 1), (40, 1), (40, 10)])
  func sqlite(bytes: Int, events: Int) throws {
    let folder = try TemporaryFolder()
    try hold("SQLite", cases: 50 * FaultRun.factor / events, size: QueueTrial.Size(bytes: bytes, events: events)) {
      let file = folder.file("\(UUID()).sqlite")
      return { quota, time in try SQLiteTrackingDataStore(file: file, quota: quota, time: time) }
    }
  }

  @Test("that fail are shrunk to those without which they would not")
  func shrinking() {
    var random = SplitMix64(seed: FaultRun.seed)
    let noise = (0..<Self.operationsPerCase).map { _ in
      QueueOperation.append(count: random.number(below: 9), bytes: 1, dropped: 0)
    }
    let operations = noise.prefix(20) + [.deleteAll] + noise.suffix(20) + [.reopen]
    let shortest = QueueTrial.shrunk(Array(operations)) { $0.contains(.deleteAll) && $0.last == .reopen }
    #expect(shortest == [.deleteAll, .reopen])
  }

  private func hold(
    _ name: String, cases: Int, size: QueueTrial.Size = QueueTrial.Size(), _ makeOpen: () -> QueueTrial.Open
  ) throws {
    for number in 0..<cases {
      let seed = FaultRun.seed &* 1_000_003 &+ UInt64(number)
      var random = SplitMix64(seed: seed)
      let operations = (0..<Self.operationsPerCase).map { _ in QueueOperation.random(using: &random) }
      guard let difference = try QueueTrial.difference(operations, size: size, makeOpen()) else { continue }
      let shortest = try QueueTrial.shrunk(operations) {
        try QueueTrial.difference($0, size: size, makeOpen()) != nil
      }
      let reduced = try QueueTrial.difference(shortest, size: size, makeOpen()) ?? difference
      Issue.record("seed \(seed): \(reduced)\n\(shortest.map { "  \($0)" }.joined(separator: "\n"))")
      return
    }
    FaultRun.report(
      "model \(name): \(cases) lists of \(Self.operationsPerCase) operations, no difference, seed \(FaultRun.seed)")
  }
}
