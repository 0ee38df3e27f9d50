import CustomDump
import DualSendCore
import DualSendCrashChild
import DualSendTracking
import Foundation
import Testing

@Suite("A process with several sinks, killed at any point", .serialized, .timeLimit(.minutes(60)))
struct SinkKillTests {
  private static let rounds = 20 * FaultRun.factor
  private static let numbersPerRound: Int64 = 1_000_000
  private static let files = ["main.jsonl", "second.jsonl", "slow.jsonl", "dead.jsonl"]

  @Test("loses no committed event in any sink, be it slow or dead, and writes none twice but those under way")
  func kills() async throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: FaultRun.seed)
    var committed: Set<Int64> = []
    for round in 0..<Self.rounds {
      let first = String(Int64(round) * Self.numbersPerRound)
      let end: KilledProcess.End =
        round.isMultiple(of: 4)
        ? .afterStart(.milliseconds(random.number(below: 150)))
        : .afterFirstLine(.milliseconds(random.number(below: 150)))
      let reports = try await KilledProcess.run([folder.url.path, "-", first, "work-sinks"], until: end)
      for case .committed(let number) in reports { committed.insert(number) }
    }
    let reports = try await KilledProcess.run([folder.url.path, "-", "0", "drain-sinks"], until: .byItself)
    let ledgers = reports.suffix(Self.files.count)

    #expect(!committed.isEmpty)
    for (file, report) in zip(Self.files, ledgers) {
      let seed: Comment = "\(file), seed \(FaultRun.seed)"
      let written = try Self.numbers(in: folder.file(file))
      let lost = committed.subtracting(written)
      #expect(lost.isEmpty, seed)
      guard case .ledger(let ledger) = report else { return #expect(Bool(false), "no ledger of \(file)") }
      let distinct = Set(written).count
      expectNoDifference(ledger, TrackingLedger(accepted: distinct, delivered: distinct), "\(seed)")
      // What comes twice is at most the batch that was under way at each kill.
      #expect(written.count - distinct <= 8 * Self.rounds, seed)
      FaultRun.report(
        "SIGKILL, \(file): rounds \(Self.rounds), committed \(committed.count), lost \(lost.count), "
          + "written twice \(written.count - distinct), seed \(FaultRun.seed)")
    }
  }

  /// The events' numbers by whole lines; a kill may have cut a line, which is closed and written again.
  private static func numbers(in file: URL) throws -> [Int64] {
    try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard case .object(let event)? = try? JSONReader().value(line),
        case .object(let payload)? = event["payload"], case .int(let number)? = payload["number"]
      else { return nil }
      return number
    }
  }
}
