import CustomDump
import DualSendCollector
import DualSendTracking
import Foundation
import Testing

@Suite("A device that changes its time zone between launches", .timeLimit(.minutes(10)))
struct TimeZoneTests {
  /// Far west and far east, 25 hours apart.
  private static let zones = ["Pacific/Pago_Pago", "Pacific/Kiritimati", "Pacific/Pago_Pago"]

  @Test("sends what every launch left, once, in order, with times that agree")
  func launches() async throws {
    let folder = try TemporaryFolder()
    let collector = CollectorServer(CollectorConfiguration(keptEvents: .max))
    try await collector.start()
    let endpoint = try #require(await collector.url())
    let common = [folder.file("events.sqlite").path, endpoint.absoluteString]
    let start = Int64(Date().timeIntervalSince1970 * 1000)
    var log = KillLog()
    for (launch, zone) in Self.zones.enumerated() {
      let first = String(launch * 1_000_000)
      let reports = try await KilledProcess.run(
        common + [first, "work"], until: .afterFirstLine(.milliseconds(100)), timeZone: zone)
      log.add(reports, round: launch)
    }
    log.add(try await KilledProcess.run(common + ["0", "drain"], until: .byItself), round: Self.zones.count)
    let events = await collector.events
    await collector.stop()
    let end = Int64(Date().timeIntervalSince1970 * 1000)

    expectNoDifference(log.violations, [])
    let ledger = try #require(log.lastLedger)
    expectNoDifference(ledger, TrackingLedger(accepted: events.count, delivered: events.count))
    let times = events.map(\.time)
    #expect(times == times.sorted())
    #expect(times.allSatisfy { (start...end).contains($0) })
  }
}
