import CustomDump
import DualSendCollector
import DualSendCore
import DualSendHTTPClient
import DualSendTracking
import Foundation
import Testing

@Suite("Two processes on one database file", .timeLimit(.minutes(10)))
struct TwoProcessesTests {
  private static let child = Int64(1_000_000)

  @Test("keep out of each other's way, and what one that was killed left is delivered by the other's next launch")
  func secondProcess() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("events.sqlite")
    let collector = CollectorServer(CollectorConfiguration(keptEvents: .max))
    try await collector.start()
    let url = try #require(await collector.url())
    let configuration = TrackerConfiguration(
      endpoint: TrackingEndpoint(url: url), storage: .file(file), transport: SystemTransport.make()
    ) {
      $0.logger = .silent
    }

    let first = Tracker(configuration: configuration)
    first.sendLog(name: "own", payload: ["number": 1])
    let unsaved = await first.persist()
    expectNoDifference(unsaved, 0)
    await collector.setFaults([CollectorFault(.status(503))])
    let reports = try await KilledProcess.run(
      [file.path, url.absoluteString, String(Self.child), "work"], until: .afterFirstLine(.milliseconds(150)))
    await collector.setFaults([])
    var log = KillLog()
    log.add(reports, round: 0)
    expectNoDifference(log.violations, [])
    #expect(!log.committed.isEmpty)
    let own = await first.statistics.ledger
    expectNoDifference(own.accepted, 1)
    await first.shutdown()

    let next = Tracker(configuration: configuration)
    for _ in 0..<20 where await next.flush().pending > 0 {}
    await next.shutdown()
    let received = await collector.events.compactMap { event -> Int64? in
      if case .int(let number)? = event.payload["number"] { number } else { nil }
    }
    await collector.stop()
    expectNoDifference(log.committed.subtracting(received), [])
    expectNoDifference(Set(received).count, received.count)
    let ledger = await next.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: received.count, delivered: received.count))
    let databases = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter {
      $0.hasSuffix(".sqlite")
    }
    expectNoDifference(databases, ["events.sqlite"])
  }
}
