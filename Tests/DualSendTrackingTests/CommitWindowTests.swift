import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

@Suite("The window in which events gather for one transaction", .timeLimit(.minutes(10)))
struct CommitWindowTests {
  private static let delay = Duration.milliseconds(50)

  /// A tracker that commits after the window, and the sizes of its transactions.
  private func bench(_ change: (inout TrackerConfiguration) -> Void = { _ in }) throws -> (
    Bench, transactions: AsyncStream<Int>
  ) {
    let (transactions, continuation) = AsyncStream.makeStream(of: Int.self)
    let bench = try Bench { configuration in
      configuration.intake.commitDelay = Self.delay
      configuration.digest.start = .onDemand
      configuration.observer = { if case .stored(let events) = $0 { continuation.yield(events.count) } }
      change(&configuration)
    }
    return (bench, transactions)
  }

  /// Sends an event after a quiet time, which is committed at once; then everything is at rest.
  private static func beginWindow(_ bench: Bench, _ sizes: inout AsyncStream<Int>.AsyncIterator) async throws {
    bench.tracker.sendLog(name: "after a quiet time")
    try #require(await sizes.next() == 1)
    await bench.tracker.persist()
  }

  @Test("is 50 ms unless an app says otherwise, and an app that says 0 has none")
  func delays() throws {
    let endpoint = TrackingEndpoint(url: URL(fileURLWithPath: "/events"))
    #expect(TrackerConfiguration(endpoint: endpoint).intake.commitDelay == .milliseconds(50))
    #expect(
      TrackerConfiguration(endpoint: endpoint) {
        $0.intake.commitDelay = .zero
      }.intake.commitDelay == .zero)
  }

  @Test("begins with a commit, ends to the very moment, and is one transaction")
  func window() async throws {
    let (bench, transactions) = try bench()
    var sizes = transactions.makeAsyncIterator()
    try await Self.beginWindow(bench, &sizes)
    bench.clock.advance(by: .milliseconds(10))
    bench.tracker.sendLog(name: "a")
    await bench.clock.untilWaits(1)
    bench.clock.advance(by: .milliseconds(30))
    bench.tracker.sendLog(name: "b")
    #expect(bench.clock.pendingWaits == [.milliseconds(10)])
    bench.clock.advance(by: .milliseconds(10))
    #expect(await sizes.next() == 2)
    #expect(bench.clock.pendingWaits.isEmpty)

    // That commit began another window. It is over before the next event, which it would take along.
    await bench.tracker.persist()
    bench.tracker.sendLog(name: "c")
    await bench.clock.untilWaits(1)
    #expect(bench.clock.pendingWaits == [Self.delay])
    bench.clock.advance(by: Self.delay)
    #expect(await sizes.next() == 1)

    bench.clock.advance(by: Self.delay)
    try await Self.beginWindow(bench, &sizes)
    #expect(bench.clock.pendingWaits.isEmpty)
  }

  @Test("ends at once when somebody wants what was sent on disk, and leaves no timer")
  func persisted() async throws {
    let (bench, transactions) = try bench { $0.consent = .pending }
    var sizes = transactions.makeAsyncIterator()
    try await Self.beginWindow(bench, &sizes)
    for _ in 0..<3 { bench.tracker.sendLog(name: "a") }
    #expect(await bench.tracker.persist() == 0)
    #expect(await sizes.next() == 3)
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 4, pending: 4))
    bench.tracker.sendLog(name: "b")
    await bench.tracker.setConsent(.granted)
    #expect(await sizes.next() == 1)
    bench.tracker.sendLog(name: "c")
    #expect(await bench.tracker.flush().sent == 6)
    #expect(await sizes.next() == 1)
    bench.tracker.sendLog(name: "d")
    #expect(await bench.tracker.shutdown().sent == 1)
    #expect(bench.clock.pendingWaits.isEmpty)
  }

  @Test("gathers events that come while others are committed, however fast they come")
  func steady() async throws {
    let tracker = Locked<Tracker?>(nil)
    let (transactions, continuation) = AsyncStream.makeStream(of: Int.self)
    let bench = try Bench { configuration in
      configuration.intake.commitDelay = Self.delay
      configuration.digest.start = .onDemand
      configuration.observer = { outcome in
        guard case .stored(let events) = outcome else { return }
        continuation.yield(events.count)
        for _ in 0..<3 { tracker.current?.sendLog(name: "while a commit is under way") }
      }
    }
    tracker.withLock { $0 = bench.tracker }
    var sizes = transactions.makeAsyncIterator()
    bench.tracker.sendLog(name: "after a quiet time")
    #expect(await sizes.next() == 1)
    for _ in 0..<3 {
      await bench.clock.untilWaits(1)
      #expect(bench.clock.pendingWaits == [Self.delay])
      bench.clock.advance(by: Self.delay)
      #expect(await sizes.next() == 3)
    }
    tracker.withLock { $0 = nil }
  }

  /// Waits until the dispatcher waits for the end of the window. Not for ever: a commit that is still running takes an event
  /// along, which then waits for no window.
  private static func untilWindowIsWaitedFor(_ bench: Bench) async {
    for _ in 0..<100_000 where bench.clock.pendingWaits.isEmpty { await Task.yield() }
  }

  @Test("is waited for once, also by events that come after a commit in its middle")
  func interrupted() async throws {
    let (bench, transactions) = try bench()
    var sizes = transactions.makeAsyncIterator()
    try await Self.beginWindow(bench, &sizes)
    for _ in 0..<3 {
      bench.tracker.sendLog(name: "a")
      await Self.untilWindowIsWaitedFor(bench)
      #expect(await bench.tracker.persist() == 0)
      #expect(await sizes.next() == 1)
      bench.tracker.sendLog(name: "b")
      // A job that has just begun may end this wait and wait again.
      await Self.untilWindowIsWaitedFor(bench)
      bench.clock.advance(by: Self.delay)
      #expect(await sizes.next() == 1)
    }
  }

  @Test("is not waited for by an urgent event, nor by what comes before it")
  func urgent() async throws {
    let (bench, transactions) = try bench()
    var sizes = transactions.makeAsyncIterator()
    try await Self.beginWindow(bench, &sizes)
    bench.tracker.sendLog(name: "a")
    bench.tracker.capture(CapturedEvent(time: 1, name: "urgent", payload: .values([:]), isUrgent: true))
    #expect(await sizes.next() == 2)
  }

  @Test("ends when there is enough for a transaction, or half of what memory holds", arguments: [10_000, 100, 1])
  func full(capacity: Int) async throws {
    let (bench, transactions) = try bench { $0.intake.capacity = capacity }
    var sizes = transactions.makeAsyncIterator()
    let enough = min(1000, max(1, capacity / 2))
    try await Self.beginWindow(bench, &sizes)
    for _ in 0..<enough { bench.tracker.sendLog(name: "a") }
    var stored = 0
    while stored < enough { stored += await sizes.next() ?? enough }
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: enough + 1, pending: enough + 1))
  }

  @Test("does not hold up what is released: its events are committed")
  func released() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("events.sqlite")
    let (stored, continuation) = AsyncStream.makeStream(of: Void.self)
    var tracker: Tracker? = try bench { configuration in
      configuration.storage = .file(file)
      configuration.observer = { if case .stored = $0 { continuation.yield() } }
    }.0.tracker
    tracker?.sendLog(name: "after a quiet time")
    var commits = stored.makeAsyncIterator()
    await commits.next()
    tracker?.sendLog(name: "a")
    tracker = nil
    await commits.next()
    continuation.finish()
  }
}
