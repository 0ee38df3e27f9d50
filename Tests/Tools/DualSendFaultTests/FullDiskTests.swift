import CustomDump
import DualSendCore
import DualSendRollout
import DualSendTesting
import DualSendTracking
import Foundation
import Testing

#if os(Linux)
  @Suite(
    "A disk without space", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: SmallDisk.isMountable, SmallDisk.whyNot))
  struct FullDiskTests {
    private let clock = ManualClock()
    private let transport = ScriptedTransport()

    private func tracker(_ disk: SmallDisk) throws -> Tracker {
      let url = try #require(URL(string: "http://collector.test/events"))
      return Tracker(
        configuration: TrackerConfiguration(
          endpoint: TrackingEndpoint(url: url), storage: .file(disk.folder.file("events.sqlite")), transport: transport,
          time: clock.timeSource
        ) {
          $0.intake.capacity = 1000
          $0.logger = .silent
        })
    }

    @Test("keeps what it held, holds more in memory, and goes on when there is space again")
    func fullForAWhile() async throws {
      let disk = try SmallDisk()
      let tracker = try tracker(disk)
      // A full store delivers what it holds as soon as it can: not before the test has looked.
      await tracker.pause()
      tracker.sendLog(name: "0", payload: [:])
      let unsaved = await tracker.persist()
      expectNoDifference(unsaved, 0)
      try disk.fill()
      // More than what emptying the log frees.
      for number in 1..<200 {
        tracker.sendLog(name: "\(number)", payload: ["text": .string(FaultRun.text(2000, seed: number))])
      }
      #expect(await tracker.persist() > 0)
      let full = await tracker.statistics.ledger
      expectNoDifference(full, TrackingLedger(accepted: 200, pending: 200))
      try disk.free()
      await tracker.resume()
      await tracker.flush()
      await tracker.shutdown()
      expectNoDifference(Set(transport.receivedNames), Set((0..<200).map(String.init)))
      let ledger = await tracker.statistics.ledger
      expectNoDifference(ledger, TrackingLedger(accepted: 200, delivered: 200))
      FaultRun.report("ENOSPC on a tmpfs: events 200, lost 0")
    }

    @Test("opens nothing, and loses nothing that memory holds, where it was full from the start")
    func fullFromTheStart() async throws {
      let disk = try SmallDisk()
      try disk.fill()
      let tracker = try tracker(disk)
      tracker.sendLog(name: "a", payload: [:])
      let unsaved = await tracker.persist()
      expectNoDifference(unsaved, 1)
      try disk.free()
      await tracker.flush()
      let ledger = await tracker.statistics.ledger
      expectNoDifference(ledger, TrackingLedger(accepted: 1, delivered: 1))
    }

    @Test("a kill that comes to a full disk is in force in the next launch, which is offline")
    func kill() async throws {
      let disk = try SmallDisk()
      let storage = ByteStorage.file(disk.folder.file("rollout"))
      func fetcher() throws -> RemoteConfigFetcher {
        let url = try #require(URL(string: "http://config.test/rollout.json"))
        return RemoteConfigFetcher(
          RemoteConfigFetcher.Options(url: url), storage: storage, transport: transport, time: clock.timeSource)
      }
      func text(_ revision: Int, new: Int) -> [UInt8] {
        let shares = #""shouldSendLogToOldLogger": 100, "shouldSendLogToNewTracker": \#(new)"#
        return Array(#"{"formatVersion": 1, "revision": \#(revision), "salt": "s", \#(shares)}"#.utf8)
      }
      let before = try fetcher()
      await before.offer(text(7, new: 100))
      await before.activate()
      try disk.fill()
      await before.offer(text(8, new: 0))
      #expect(before.snapshot.revision == 8)
      let after = try fetcher()
      #expect(after.snapshot.revision == 8)
      #expect(await after.offer(text(7, new: 100)) == .failed(.replayed(revision: 7, known: 8)))
    }

    @Test("drops, and counts, only what no bounded memory can hold")
    func beyondMemory() async throws {
      let disk = try SmallDisk()
      let tracker = try tracker(disk)
      await tracker.persist()
      try disk.fill()
      for _ in 0..<3 {
        for number in 0..<1000 {
          tracker.sendLog(name: "a", payload: ["text": .string(FaultRun.text(200, seed: number))])
        }
        await tracker.persist()
      }
      let full = await tracker.statistics.ledger
      #expect(full.isBalanced)
      #expect(full.dropped.keys.contains(.storeUnavailable))
      try disk.free()
      await tracker.flush()
      await tracker.shutdown()
      let ledger = await tracker.statistics.ledger
      #expect(ledger.isBalanced)
      expectNoDifference(ledger.pending, 0)
    }
  }
#endif
