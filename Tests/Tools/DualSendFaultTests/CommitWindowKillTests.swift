import CustomDump
import DualSendCollector
import DualSendCore
import DualSendCrashChild
import DualSendTracking
import Foundation
import Testing

@Suite("A process killed while it logs", .serialized, .timeLimit(.minutes(60)))
struct CommitWindowKillTests {
  private static let rounds = 20 * FaultRun.factor
  private static let window = TrackerConfiguration(endpoint: TrackingEndpoint(url: URL(fileURLWithPath: "/")))
    .intake.commitDelay.inMilliseconds
  /// How late a busy machine may wake the tracker, and how long it may take for the commit.
  private static let lateness: Int64 = 2000

  @Test("loses nothing but what it logged within the commit window, the newest")
  func kills() async throws {
    var random = SplitMix64(seed: FaultRun.seed)
    var ages: [Int64] = []
    var logged = 0
    for round in 0..<Self.rounds {
      let folder = try TemporaryFolder()
      let collector = CollectorServer(CollectorConfiguration(keptEvents: .max))
      try await collector.start()
      let common = [folder.file("events.sqlite").path, try #require(await collector.url()).absoluteString, "0"]
      let end = KilledProcess.End.afterFirstLine(.milliseconds(100 + random.number(below: 300)))
      let reports = try await KilledProcess.run(common + ["log"], until: end)
      _ = try await KilledProcess.run(common + ["drain"], until: .byItself)
      let received = await collector.events.compactMap { event -> Int64? in
        if case .int(let number)? = event.payload["number"] { number } else { nil }
      }
      await collector.stop()

      let times = reports.compactMap { report in
        if case .logged(let number, let time) = report { (number, time) } else { nil }
      }
      guard let last = times.last?.1 else { continue }
      let lost = times.filter { !Set(received).contains($0.0) }
      logged += times.count
      expectNoDifference(lost.map(\.0), times.suffix(lost.count).map(\.0), "round \(round): a newer one is there")
      // The kill came after the last line: what is lost may be older by the time between, which nobody knows.
      ages.append(lost.first.map { last - $0.1 } ?? 0)
    }
    ages.sort()
    let oldest = try #require(ages.last)
    #expect(oldest <= Self.window + Self.lateness, "seed \(FaultRun.seed)")
    #expect(logged > Self.rounds)
    FaultRun.report(
      "SIGKILL while logging: rounds \(Self.rounds), events \(logged), the oldest that was lost was logged before the last "
        + "one by \(ages[ages.count / 2]) ms in the middle, \(oldest) ms at most, seed \(FaultRun.seed)")
  }
}
