import CustomDump
import DualSendCore
import DualSendTesting
import DualSendTracking
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
          endpoint: TrackingEndpoint(url: url), storage: .file(disk.folder.file("events.sqlite")), transport: transport,
          time: clock.timeSource
        ) {
          $0.intake.capacity = 50_000
          $0.logger = .silent
        })
    }

    /// Sends until the disk takes no more. Returns how many events there are, those in memory included.
    private func fill(_ tracker: Tracker, bytes: Int, chunk: () -> Int) async throws -> Int {
      var sent = 0
      for _ in 1...5000 {
        for number in sent..<sent + chunk() {
          tracker.sendLog(name: "\(number)", payload: ["text": .string(FaultRun.text(bytes, seed: number))])
          sent += 1
        }
        if await tracker.persist() > 0 { return sent }
      }
      Issue.record("the disk is never full")
      return 0
    }

    /// Has another tracker deliver what a disk holds. Returns how many events those were.
    private func drain(_ disk: SmallDisk, _ comment: Comment) async throws -> Int {
      let online = ScriptedTransport()
      let tracker = try tracker(disk, online)
      // Not what is pending: delivery may have begun by now.
      let stored = await tracker.statistics.ledger.accepted
      let report = await tracker.flush()
      #expect(report.pending == 0, "\(comment): \(report)")
      await tracker.shutdown()
      let names = online.receivedNames
      #expect(names.count == stored, comment)
      #expect(Set(names).count == stored, comment)
      let ledger = await tracker.statistics.ledger
      #expect(ledger == TrackingLedger(accepted: stored, delivered: stored), comment)
      return stored
    }

    @Test(
      "is drained by launches with a collector that answers, each event sent once",
      arguments: [(1, 1000, 200), (2, 1, 200), (2, 100, 200), (2, 1000, 200), (2, 3, 60_000), (4, 1000, 900)])
    func drains(megabytes: Int, chunk: Int, bytes: Int) async throws {
      let disk = try SmallDisk(megabytes: megabytes)
      let first = try tracker(disk, ScriptedTransport(then: .failure(.connectionFailed("offline"))))
      let accepted = try await fill(first, bytes: bytes) { chunk }
      let full = await first.statistics.ledger
      #expect(full.isBalanced && full.pending == accepted)
      await first.shutdown(timeout: .zero)
      let stored = try await drain(disk, "\(megabytes) MiB, by \(chunk)")
      #expect(stored > 0)
      FaultRun.report(
        "\(megabytes) MiB filled by the database: \(stored) events of \(bytes) bytes, by \(chunk), all delivered once")
    }

    /// How full the log and the database are when the disk is depends on the size of every transaction.
    @Test("is drained whatever the transactions were", arguments: [(1, 200), (1, 10), (2, 900)])
    func drainsAnyTransactions(megabytes: Int, bytes: Int) async throws {
      var random = SplitMix64(seed: FaultRun.seed)
      let rounds = 6 * FaultRun.factor
      var stored = 0
      for _ in 0..<rounds {
        let disk = try SmallDisk(megabytes: megabytes)
        let first = try tracker(disk, ScriptedTransport(then: .failure(.connectionFailed("offline"))))
        let most = [50, 500, 1500].randomElement(using: &random) ?? 1
        var chunks: [Int] = []
        _ = try await fill(first, bytes: bytes) {
          chunks.append(.random(in: 1...most, using: &random))
          return chunks.last ?? 1
        }
        await first.shutdown(timeout: .zero)
        stored += try await drain(disk, "\(megabytes) MiB, by \(chunks)")
      }
      #expect(stored > rounds)
      FaultRun.report("\(megabytes) MiB filled by the database: \(rounds) disks, \(stored) events, all delivered once")
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
        accepted += try await fill(tracker, bytes: 200) { 300 }
        isOnline.withLock { $0 = true }
        for _ in 0..<5 where await tracker.flush().pending > 0 {}
        let ledger = await tracker.statistics.ledger
        expectNoDifference(ledger, TrackingLedger(accepted: accepted, delivered: accepted))
      }
      expectNoDifference(Set(transport.receivedNames).isEmpty, false)
    }
  }
#endif
