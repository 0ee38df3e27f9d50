import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendRollout

@Suite("Schedules in a remote config fetcher", .timeLimit(.minutes(5)))
struct RemoteConfigScheduleTests {
  private static let start: Int64 = 1_796_083_200_000
  private static let text = """
    {"formatVersion": 1, "revision": 1, "salt": "test", "shouldSendLogToNewTracker": {"schedule": [
      {"from": "2026-12-01T00:10:00Z", "percentage": 50}, {"from": "2026-12-01T02:00:00Z", "percentage": 100}]}}
    """

  private func publish(on bench: RemoteBench, date: String?, headers: [String: String] = [:]) {
    var headers = headers
    headers["Date"] = date.map { "Tue, 01 Dec 2026 \($0) GMT" }
    bench.server.publish(Self.text, headers: headers)
  }

  /// A fetcher that has the document in force, from a server whose clock shows this time.
  private func started(
    on bench: RemoteBench, date: String, headers: [String: String] = [:]
  ) async -> RemoteConfigFetcher {
    publish(on: bench, date: date, headers: headers)
    let fetcher = bench.fetcher()
    _ = await fetcher.fetch()
    await fetcher.activate()
    return fetcher
  }

  private func percentage(_ snapshot: RolloutSnapshot?) -> Int? {
    guard let snapshot, let document = snapshot.document else { return nil }
    return document.shouldSendLogToNewTracker.percentage(at: snapshot.time).map { $0.thousandths / 1000 } ?? 0
  }

  @Test("takes each step when the server's time has come, not the device's")
  func steps() async throws {
    let bench = try RemoteBench()
    let fetcher = await started(on: bench, date: "00:00:00")
    var snapshots = fetcher.snapshots().makeAsyncIterator()
    #expect(percentage(await snapshots.next()) == 0)
    bench.clock.jumpWall(by: .seconds(1_000_000))
    await bench.clock.untilWaits(1)
    bench.clock.advance(by: .seconds(600))
    #expect(percentage(await snapshots.next()) == 50)
    #expect(fetcher.snapshot.time == Self.start + 600_000)
    // The later step is hours away: it is approached ten minutes at a time.
    for _ in 0..<11 {
      while bench.clock.pendingWaits != [.seconds(600)], !Task.isCancelled { await Task.yield() }
      bench.clock.advance(by: .seconds(600))
    }
    #expect(percentage(await snapshots.next()) == 100)
  }

  @Test("adds the time that a shared cache kept the answer, and not to a time of now", arguments: [(600, 50), (0, 0)])
  func age(ahead: Int64, expected: Int) async throws {
    let bench = try RemoteBench()
    bench.clock.jumpWall(by: .milliseconds(Self.start - bench.clock.timeSource.wallMilliseconds() + ahead * 1000))
    let fetcher = await started(on: bench, date: "00:00:00", headers: ["Age": "600"])
    #expect(percentage(fetcher.snapshot) == expected)
  }

  @Test("takes no time from an answer without a valid document", arguments: [503, 200])
  func portal(status: Int) async throws {
    let bench = try RemoteBench()
    let fetcher = await started(on: bench, date: "00:00:00")
    bench.server.misbehave(status, times: 1, headers: ["Date": "Tue, 01 Dec 2026 00:20:00 GMT"])
    bench.clock.advance(by: .seconds(60))
    _ = await fetcher.fetch()
    #expect(percentage(fetcher.snapshot) == 0)
    #expect(percentage(bench.fetcher().snapshot) == 0)
  }

  @Test("jumps ahead by more than a day only with the device's clock or a second answer", arguments: [true, false])
  func jump(isConfirmedByDevice: Bool) async throws {
    let bench = try RemoteBench()
    let fetcher = await started(on: bench, date: "00:00:00")
    let later = ["Date": "Thu, 03 Dec 2026 00:00:00 GMT"]
    bench.server.publish(Self.text, headers: later)
    bench.clock.advance(by: .seconds(60))
    if isConfirmedByDevice {
      bench.clock.jumpWall(
        by: .milliseconds(Self.start + 2 * 86_400_000 - bench.clock.timeSource.wallMilliseconds()))
    }
    _ = await fetcher.fetch()
    #expect(percentage(fetcher.snapshot) == (isConfirmedByDevice ? 100 : 0))
    bench.clock.advance(by: .seconds(60))
    _ = await fetcher.fetch()
    #expect(percentage(fetcher.snapshot) == 100)
  }

  @Test("reads no percentage from a schedule while no server has said the time")
  func untrusted() async throws {
    let bench = try RemoteBench()
    let fetcher = bench.fetcher { $0.url = nil }
    await fetcher.offer(Array(Self.text.utf8))
    await fetcher.activate()
    #expect(fetcher.snapshot.time == nil)
    #expect(percentage(fetcher.snapshot) == 0)
  }

  @Test("does not fall behind a step in the next run")
  func nextRun() async throws {
    let bench = try RemoteBench()
    let fetcher = await started(on: bench, date: "00:00:00")
    var snapshots = fetcher.snapshots().makeAsyncIterator()
    _ = await snapshots.next()
    await bench.clock.untilWaits(1)
    bench.clock.advance(by: .seconds(600))
    _ = await snapshots.next()
    #expect(percentage(bench.fetcher().snapshot) == 50)
  }

  @Test(
    "takes a time that is a little earlier for the same clock, and one that is much earlier for a corrected one",
    arguments: [("00:08:00", 50), ("00:01:00", 0)])
  func earlier(date: String, expected: Int) async throws {
    let bench = try RemoteBench()
    publish(on: bench, date: "00:10:00")
    let fetcher = bench.fetcher { $0.minimumInterval = .zero }
    _ = await fetcher.fetch()
    await fetcher.activate()
    #expect(percentage(fetcher.snapshot) == 50)
    publish(on: bench, date: date)
    #expect(await fetcher.fetch() == .unchanged)
    #expect(percentage(fetcher.snapshot) == expected)
  }
}
