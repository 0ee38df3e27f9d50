import CustomDump
import DualSendCore
import DualSendTesting
import DualSendTracking
import Foundation
import Testing

#if os(Linux)
  /// SQLite's log (WAL) grows until a checkpoint empties it, and on a full disk no checkpoint may succeed.
  @Suite(
    "The log of a database on a full disk", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: SmallDisk.isMountable, SmallDisk.whyNot))
  struct LogGrowthTests {
    private let clock = ManualClock()
    private let transport = ScriptedTransport()
    private let disk: SmallDisk

    init() throws {
      disk = try SmallDisk()
    }

    private func tracker() throws -> Tracker {
      let url = try #require(URL(string: "http://collector.test/events"))
      return Tracker(
        configuration: TrackerConfiguration(
          endpoint: TrackingEndpoint(url: url), storage: .file(disk.folder.file("events.sqlite")), transport: transport,
          time: clock.timeSource
        ) {
          $0.logger = .silent
        })
    }

    private func logBytes() throws -> Int {
      let attributes = try FileManager.default.attributesOfItem(atPath: disk.folder.file("events.sqlite-wal").path)
      return try #require(attributes[.size] as? Int)
    }

    private func storeTwentyEvents(in tracker: Tracker) async {
      for number in 0..<20 { tracker.sendLog(name: "a", payload: ["text": .string(FaultRun.text(400, seed: number))]) }
      await tracker.persist()
    }

    @Test("is emptied when it is what fills the disk, so that a database that needs no growth goes on")
    func littleSpace() async throws {
      let earlier = try tracker()
      await storeTwentyEvents(in: earlier)
      await earlier.shutdown()
      let tracker = try tracker()
      let space = 512 << 10
      _ = await tracker.statistics
      let before = try logBytes()
      try disk.fill(leaving: UInt64(space))
      var longest = before
      for _ in 0..<100 {
        await storeTwentyEvents(in: tracker)
        longest = max(longest, try logBytes())
        await tracker.flush()
      }
      await tracker.shutdown()
      let ledger = await tracker.statistics.ledger
      expectNoDifference(ledger, TrackingLedger(accepted: 2020, delivered: 2020))
      #expect(longest <= before + space + SmallDisk.blockBytes)
      FaultRun.report("little space: events 2020, lost 0, space \(space), longest log \(longest) bytes")
    }

    @Test("grows no further while the disk stays full, however often the store tries")
    func fullForLong() async throws {
      let tracker = try tracker()
      await storeTwentyEvents(in: tracker)
      try disk.fill()
      let before = try logBytes()
      for _ in 0..<30 {
        await storeTwentyEvents(in: tracker)
        clock.advance(by: .seconds(60))
      }
      await tracker.flush()
      // The block that the log ends in was there before.
      #expect(try logBytes() <= before + SmallDisk.blockBytes)
      let full = await tracker.statistics.ledger
      #expect(full.isBalanced && full.dropped.isEmpty)
      try disk.free()
      for _ in 0..<10 where await tracker.flush().pending > 0 {}
      await tracker.shutdown()
      let ledger = await tracker.statistics.ledger
      expectNoDifference(ledger, TrackingLedger(accepted: 620, delivered: 620))
    }
  }
#endif
