import CustomDump
@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendTesting
@_spi(Tools) import DualSendTracking
import Foundation
import Testing

#if os(Linux)
  /// Nobody frees space here: what the database itself has filled, it must get out of by itself.
  @Suite(
    "A disk that the database has filled", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: SmallDisk.isMountable, SmallDisk.whyNot))
  struct DiskFilledByLogTests {
    private let clock = ManualClock()

    private func tracker(_ disk: SmallDisk, _ transport: ScriptedTransport) throws -> Tracker {
      let url = try #require(URL(string: "http://collector.test/events"))
      return Tracker(
        configuration: TrackerConfiguration(
          endpoint: TrackingEndpoint(url: url), storage: .file(disk.folder.file("events.sqlite")),
          inboxCapacity: 50_000, logger: .silent, transport: transport, time: clock.timeSource))
    }

    /// Sends until the disk takes no more. Returns how many events there are, those in memory included.
    private func fill(_ tracker: Tracker, chunk: Int, bytes: Int) async throws -> Int {
      for round in 1...5000 {
        for number in 0..<chunk {
          tracker.sendLog(
            name: "\(round).\(number)", payload: ["text": .string(String(repeating: "x", count: bytes))])
        }
        if await tracker.persist() > 0 { return round * chunk }
      }
      Issue.record("the disk is never full")
      return 0
    }

    @Test(
      "is drained by launches with a collector that answers, each event sent once",
      arguments: [(1, 1000, 200), (2, 1, 200), (2, 100, 200), (2, 1000, 200), (2, 3, 60_000), (4, 1000, 900)])
    func drains(megabytes: Int, chunk: Int, bytes: Int) async throws {
      let disk = try SmallDisk(megabytes: megabytes)
      let offline = ScriptedTransport(then: .failure(.connectionFailed("offline")))
      let first = try tracker(disk, offline)
      let accepted = try await fill(first, chunk: chunk, bytes: bytes)
      let full = await first.statistics.ledger
      #expect(full.isBalanced && full.pending == accepted)
      await first.shutdown(timeout: .zero)
      let online = ScriptedTransport()
      let second = try tracker(disk, online)
      let stored = await second.statistics.ledger.pending
      #expect(stored > 0)
      let report = await second.flush()
      #expect(report.pending == 0, "\(report)")
      await second.shutdown()
      let names = online.receivedNames
      expectNoDifference(names.count, stored)
      expectNoDifference(Set(names).count, stored)
      let ledger = await second.statistics.ledger
      expectNoDifference(ledger, TrackingLedger(accepted: stored, delivered: stored))
      FaultRun.report(
        "\(megabytes) MiB filled by the database: \(stored) events of \(bytes) bytes, by \(chunk), all delivered once")
    }

    @Test("takes, while it is full, what is delivered and what comes, without an end")
    func goesOn() async throws {
      let disk = try SmallDisk(megabytes: 2)
      let isOnline = Locked(false)
      let transport = ScriptedTransport { _ in
        isOnline.current ? .success(HTTPTransportResponse(status: 200)) : .failure(.connectionFailed("offline"))
      }
      let tracker = try tracker(disk, transport)
      var accepted = 0
      for _ in 0..<5 {
        isOnline.withLock { $0 = false }
        accepted += try await fill(tracker, chunk: 300, bytes: 200)
        isOnline.withLock { $0 = true }
        for _ in 0..<5 where await tracker.flush().pending > 0 {}
        let ledger = await tracker.statistics.ledger
        expectNoDifference(ledger, TrackingLedger(accepted: accepted, delivered: accepted))
      }
      expectNoDifference(Set(transport.receivedNames).isEmpty, false)
    }
  }
#endif
