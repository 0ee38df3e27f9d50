import CustomDump
import DualSendCollector
import DualSendCore
import DualSendTracking
import Foundation
import Testing

@Suite("A process killed at any point", .serialized, .timeLimit(.minutes(60)))
struct KillTests {
  private static let rounds = 40 * FaultRun.factor
  /// No child sends so many events in its short life.
  private static let numbersPerRound: Int64 = 1_000_000

  /// Answers that come late, not at all, or broken, so that kills fall between the answer and the delete.
  private static let faults = [
    CollectorFault(.lose, .random(0.1)), CollectorFault(.cut, .random(0.05)), CollectorFault(.drop, .random(0.05)),
    CollectorFault(.status(503), .random(0.05)), CollectorFault(.delay(.milliseconds(15)), .random(0.3)),
  ]

  @Test("loses no committed event, counts each once, and keeps its ledger, through SIGKILL in every round")
  func kills() async throws {
    let folder = try TemporaryFolder()
    let collector = CollectorServer(
      CollectorConfiguration(faults: Self.faults, seed: FaultRun.seed, keptEvents: .max))
    try await collector.start()
    let endpoint = try #require(await collector.url())
    let common = [folder.file("events.sqlite").path, endpoint.absoluteString]
    var random = SplitMix64(seed: FaultRun.seed)
    var log = KillLog()

    for round in 0..<Self.rounds {
      let first = Int64(round) * Self.numbersPerRound
      // One in four may die while it opens the database, the others die while they work.
      let end: KilledProcess.End =
        round.isMultiple(of: 4)
        ? .afterStart(.milliseconds(random.number(below: 150)))
        : .afterFirstLine(.milliseconds(random.number(below: 100)))
      log.add(try await KilledProcess.run(common + [String(first), "work"], until: end), round: round)
    }
    await collector.setFaults([])
    log.add(try await KilledProcess.run(common + ["0", "drain"], until: .byItself), round: Self.rounds)

    let received = await collector.events.compactMap { event -> Int64? in
      if case .int(let number)? = event.payload["number"] { number } else { nil }
    }
    let totals = await collector.totals
    await collector.stop()
    let seed: Comment = "seed \(FaultRun.seed)"
    expectNoDifference(log.violations, [])
    let lost = log.committed.subtracting(received)
    #expect(lost.isEmpty, seed)
    #expect(!log.committed.isEmpty, seed)
    #expect(Set(received).count == received.count, "a number counted twice; \(seed)")
    let ledger = try #require(log.lastLedger)
    expectNoDifference(ledger, TrackingLedger(accepted: received.count, delivered: received.count))
    FaultRun.report(
      "SIGKILL: rounds \(Self.rounds), events \(received.count), committed \(log.committed.count), lost \(lost.count), "
        + "duplicated \(totals.duplicates), sent again \(log.sentAgain), seed \(FaultRun.seed)")
  }

  @Test("creates its database as a whole, or not at all")
  func killsAtCreation() async throws {
    let rounds = 10 * FaultRun.factor
    let collector = CollectorServer()
    try await collector.start()
    let endpoint = try #require(await collector.url()).absoluteString
    var random = SplitMix64(seed: FaultRun.seed)
    for round in 0..<rounds {
      let folder = try TemporaryFolder()
      let common = [folder.file("events.sqlite").path, endpoint]
      let first = String(Int64(round) * Self.numbersPerRound)
      var log = KillLog()
      let end = KilledProcess.End.afterStart(.milliseconds(random.number(below: 120)))
      log.add(try await KilledProcess.run(common + [first, "work"], until: end), round: round)
      log.add(try await KilledProcess.run(common + ["0", "drain"], until: .byItself), round: round)
      expectNoDifference(log.violations, [])
      let ledger = try #require(log.lastLedger)
      #expect(ledger.accepted >= log.committed.count, "round \(round), seed \(FaultRun.seed): \(ledger)")
      expectNoDifference(ledger, TrackingLedger(accepted: ledger.accepted, delivered: ledger.accepted))
    }
    await collector.stop()
    FaultRun.report("SIGKILL at creation: rounds \(rounds), seed \(FaultRun.seed)")
  }
}
