import CustomDump
import DualSendCollector
import DualSendCore
import DualSendHTTPClient
import DualSendTracking
import Foundation
import Testing

@Suite("A collector that misbehaves over HTTP", .timeLimit(.minutes(5)))
struct AnswerTests {
  /// One way to answer six events, one of them named `bad`, and what must come of it.
  struct Row: Sendable, CustomTestStringConvertible {
    let fault: String
    var deadLettered = 0
    /// Whether events come again that the collector has already.
    var isDuplicated = false

    var testDescription: String { fault }

    private static let comesLater = [
      "408*2", "425*2", "429*2", "500*2", "502*2", "503*2", "504*2", "retry-after=0:429*2", "retry-after-date=0:503*2",
      "301*1", "401*1", "403*1", "404*1", "410*1", "limit=400", "drop*2", "delay=0.05", "drip=0.001",
    ]
    static let table =
      comesLater.map { Row(fault: $0) }
      + ["lose*2", "cut*2", "delay=1.5*1"].map { Row(fault: $0, isDuplicated: true) }
      + ["poison=bad", "status=422:poison=bad", "reject=bad"].map { Row(fault: $0, deadLettered: 1) }
  }

  @Test("gets each event once after all, or refuses it for good", .timeLimit(.minutes(10)), arguments: Row.table)
  func answer(row: Row) async throws {
    let collector = CollectorServer(CollectorConfiguration(faults: [try CollectorFault(row.fault)]))
    try await collector.start()
    let folder = try TemporaryFolder()
    // Only where a second delivery is wanted may a busy machine run into the time-out.
    let timeout = Duration.seconds(row.isDuplicated ? 1 : 30)
    let tracker = try await Self.tracker(collector, folder, timeout: timeout)
    await tracker.pause()
    for name in ["a", "b", "c", "bad", "d", "e"] { tracker.sendLog(name: name, payload: [:]) }
    await tracker.persist()
    await tracker.resume()
    while await tracker.flush().pending > 0 {}
    await tracker.shutdown()

    let delivered = 6 - row.deadLettered
    let ledger = await tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 6, delivered: delivered, deadLettered: row.deadLettered))
    let totals = await collector.totals
    expectNoDifference(totals.accepted, delivered)
    expectNoDifference(totals.duplicates > 0, row.isDuplicated)
    await collector.stop()
  }

  @Test("in 30 of 100 answers, at random, loses and invents no event", .timeLimit(.minutes(30)))
  func conservation() async throws {
    let count = FaultRun.isLong ? 1_000_000 : 20_000
    let collector = CollectorServer(
      CollectorConfiguration(faults: Self.thirtyPercent, seed: FaultRun.seed, keptEvents: 0))
    try await collector.start()
    let folder = try TemporaryFolder()
    let tracker = try await Self.tracker(collector, folder, timeout: .seconds(2))
    for first in stride(from: 0, to: count, by: 2000) {
      for number in first..<first + 2000 {
        tracker.sendLog(name: number % 1000 == 7 ? "bad" : "good", payload: ["number": .int(Int64(number))])
      }
      await tracker.persist()
    }
    while await tracker.flush().pending > 0 {}
    await tracker.shutdown()

    let totals = await collector.totals
    await collector.stop()
    let bad = count / 1000
    let ledger = await tracker.statistics.ledger
    expectNoDifference(
      ledger, TrackingLedger(accepted: count, delivered: count - bad, deadLettered: bad),
      "seed \(FaultRun.seed)")
    expectNoDifference(totals.accepted, count - bad, "seed \(FaultRun.seed)")
    FaultRun.report(
      "random answers: requests \(totals.requests), faults \(totals.faults), events \(count), dead-lettered \(bad), "
        + "lost \(count - bad - totals.accepted), duplicated \(totals.duplicates), seed \(FaultRun.seed)")
  }

  /// Asked in order. Bad events first, so that none of them is ever stored; the rest strike 30 of 100 requests.
  private static let thirtyPercent: [CollectorFault] = [
    CollectorFault(.poison(.name("bad"), status: 400), .random(0.5)), CollectorFault(.reject(.name("bad"))),
    CollectorFault(.status(503), .random(0.05)), CollectorFault(.status(500), .random(0.03)),
    CollectorFault(.status(429), .random(0.03), retryAfter: .seconds(0)), CollectorFault(.status(408), .random(0.02)),
    CollectorFault(.status(401), .random(0.02)), CollectorFault(.status(404), .random(0.01)),
    CollectorFault(.drop, .random(0.05)), CollectorFault(.lose, .random(0.05)), CollectorFault(.cut, .random(0.04)),
    CollectorFault(.delay(.milliseconds(20)), .random(0.05)),
    CollectorFault(.limit(bytes: 3000), .random(0.02)),
  ]

  private static func tracker(
    _ collector: CollectorServer, _ folder: TemporaryFolder, timeout: Duration
  ) async throws -> Tracker {
    let url = try #require(await collector.url())
    return Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: url, timeout: timeout), storage: .file(folder.file("events.sqlite")),
        transport: SystemTransport.make()
      ) {
        $0.quota = TrackerConfiguration.Quota(events: .max, bytes: .max, deadLetters: 100)
        $0.digest = TrackerConfiguration.Digest(start: .immediately, batchEvents: 100)
        $0.retry.backoff = RetryBackoff(shape: .fullJitter, base: .milliseconds(1), cap: .milliseconds(20))
        $0.retry.pauseAfterRefusal = .milliseconds(1)
        $0.logger = .silent
      })
  }
}
