import CustomDump
import DualSendCollector
import DualSendCore
import DualSendTracking
import Foundation
import GRDB
import Testing

@Suite("A process killed while it takes over the sample tracker's database", .serialized, .timeLimit(.minutes(60)))
struct SampleTakeoverKillTests {
  private static let rounds = 15 * FaultRun.factor
  private static let rows = 500
  /// Numbers of the children's own events begin here.
  private static let own: Int64 = 1_000_000

  private static func rows(_ numbers: Range<Int>) -> String {
    numbers.map { number in
      #"(\#(number), '{"eventId":"sample","eventTime":1700000000,"payload":{"number":\#(number)}}')"#
    }.joined(separator: ", ")
  }

  @Test("delivers each row once, and drops the table only then")
  func kills() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("tracking.sqlite")
    let queue = try DatabaseQueue(path: file.path)
    try await queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE Tracking(id INTEGER PRIMARY KEY AUTOINCREMENT, rawData BLOB);
          INSERT INTO Tracking VALUES \(Self.rows(0..<Self.rows))
          """)
    }
    try queue.close()
    let collector = CollectorServer(
      CollectorConfiguration(
        faults: [CollectorFault(.lose, .random(0.1)), CollectorFault(.delay(.milliseconds(15)), .random(0.3))],
        seed: FaultRun.seed, keptEvents: .max))
    try await collector.start()
    let common = [file.path, try #require(await collector.url()).absoluteString]
    var random = SplitMix64(seed: FaultRun.seed)
    var log = KillLog()
    for round in 0..<Self.rounds {
      let first = String(Int64(round + 1) * Self.own)
      let end = KilledProcess.End.afterStart(.milliseconds(random.number(below: 150)))
      log.add(try await KilledProcess.run(common + [first, "work"], until: end), round: round)
      // What the app's earlier version would send again is never more than what was not delivered for certain.
      let left = try await remaining(file)
      let received = await numbers(collector)
      #expect(Set(0..<Self.rows).subtracting(left ?? []).isSubset(of: received), "seed \(FaultRun.seed)")
    }
    await collector.setFaults([])
    log.add(try await KilledProcess.run(common + ["0", "drain"], until: .byItself), round: Self.rounds)
    let received = await collector.events.count
    let sample = await numbers(collector)
    await collector.stop()
    expectNoDifference(log.violations, [])
    expectNoDifference(sample, Set(0..<Self.rows))
    expectNoDifference(log.lastLedger, TrackingLedger(accepted: received, delivered: received))
    let left = try await remaining(file)
    expectNoDifference(left, nil)
    FaultRun.report("SIGKILL at takeover: rounds \(Self.rounds), events \(received), seed \(FaultRun.seed)")
  }

  /// The rows of the sample that the collector has.
  private func numbers(_ collector: CollectorServer) async -> Set<Int> {
    Set(
      await collector.events.compactMap { event in
        if case .int(let number)? = event.payload["number"], number < Self.own { Int(number) } else { nil }
      })
  }

  /// The rows that the app's earlier version would find; `nil` without its table.
  private func remaining(_ file: URL) async throws -> Set<Int>? {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try await queue.read { db in
      try db.tableExists("Tracking") ? Set(try Int.fetchAll(db, sql: "SELECT rowid FROM Tracking")) : nil
    }
  }
}
