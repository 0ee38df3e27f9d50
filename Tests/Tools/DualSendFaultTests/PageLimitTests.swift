import CustomDump
import DualSendCore
import DualSendFaultingVFS
import DualSendTesting
import DualSendTracking
import Foundation
import Testing

#if !canImport(Darwin)
  /// The limit knows one folder at a time, so these tests run in turn.
  @Suite("A database that may not grow (max_page_count)", .serialized, .timeLimit(.minutes(10)))
  struct PageLimitTests {
    /// A fresh database has about ten pages; the rest holds some 200 of the events below.
    private static let pages: Int32 = 40

    private let folder: TemporaryFolder
    private let clock = ManualClock()
    private let isOnline = Locked(false)
    private let failures = Locked<Set<TrackingStoreError.Kind>>([])
    private let delivered = Locked<[String]>([])
    private let tracker: Tracker

    init() throws {
      folder = try TemporaryFolder()
      try #require(page_limit_set(folder.url.path, Self.pages) == 0)
      let url = try #require(URL(string: "http://collector.test/events"))
      let transport = ScriptedTransport { [isOnline] _ in
        isOnline.current ? .success(HTTPTransportResponse(status: 200)) : .failure(.connectionFailed("offline"))
      }
      let observer: @Sendable (TrackingOutcome) -> Void = { [failures, delivered] outcome in
        if case .storeFailed(let error) = outcome { failures.withLock { _ = $0.insert(error.kind) } }
        if case .delivered(let events) = outcome { delivered.withLock { $0 += events.map(\.name) } }
      }
      tracker = Tracker(
        configuration: TrackerConfiguration(
          endpoint: TrackingEndpoint(url: url), storage: .file(folder.file("events.sqlite")), transport: transport,
          time: clock.timeSource
        ) {
          $0.intake.capacity = 1000
          $0.observer = observer
          $0.logger = .silent
        })
    }

    /// Stores events one by one until one does not fit. Returns the names of those that did.
    private func fill() async -> [String] {
      var stored: [String] = []
      for number in 0..<1000 {
        tracker.sendLog(name: "\(number)", payload: ["text": .string(FaultRun.text(400, seed: number))])
        guard await tracker.persist() == 0 else { break }
        stored.append("\(number)")
      }
      return stored
    }

    @Test("says that it is full, keeps what it holds, and holds more in memory")
    func full() async throws {
      let stored = await fill()
      #expect((50..<500).contains(stored.count))
      expectNoDifference(failures.current, [.full])
      let ledger = await tracker.statistics.ledger
      expectNoDifference(ledger, TrackingLedger(accepted: stored.count + 1, pending: stored.count + 1))
      let onDisk = try await tracker.waitingIDs()
      expectNoDifference(onDisk.count, stored.count)
    }

    @Test("drops, and counts, only what no bounded memory can hold")
    func beyondMemory() async throws {
      let stored = await fill()
      for _ in 0..<3 {
        for _ in 0..<1000 { tracker.sendLog(name: "more", payload: [:]) }
        await tracker.persist()
      }
      let accepted = stored.count + 1 + 3000
      let full = await tracker.statistics.ledger
      let pending = stored.count + 1000
      expectNoDifference(
        full, TrackingLedger(accepted: accepted, dropped: [.storeUnavailable: accepted - pending], pending: pending))
    }

    @Test("delivers what it holds, which makes room for the rest, in order")
    func makesRoom() async throws {
      let stored = await fill()
      isOnline.withLock { $0 = true }
      for _ in 0..<10 where await tracker.flush().pending > 0 {}
      await tracker.shutdown()
      expectNoDifference(Array(delivered.current.prefix(stored.count)), stored)
      expectNoDifference(Set(delivered.current).count, stored.count + 1)
      let ledger = await tracker.statistics.ledger
      expectNoDifference(ledger, TrackingLedger(accepted: stored.count + 1, delivered: stored.count + 1))
      FaultRun.report("max_page_count: events \(stored.count + 1), on disk \(stored.count), lost 0")
    }

    @Test("delivers by itself, without a flush, once the network is there")
    func makesRoomByItself() async throws {
      let stored = await fill()
      let outcomes = tracker.outcomes()
      isOnline.withLock { $0 = true }
      clock.advance(by: .seconds(300))
      var delivered = 0
      for await case .delivered(let events) in outcomes {
        delivered += events.count
        if delivered >= stored.count { break }
      }
      let unsaved = await tracker.persist()
      expectNoDifference(unsaved, 0)
    }
  }
#endif
