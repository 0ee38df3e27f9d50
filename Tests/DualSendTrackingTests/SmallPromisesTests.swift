import CustomDump
import DualSendCore
import DualSendTesting
import Foundation
import GRDB
import Logging
import Testing

@testable import DualSendTracking

@Suite("What a tracker says and counts", .timeLimit(.minutes(5)))
struct SmallPromisesTests {
  private struct Handler: LogHandler {
    let lines: Locked<[String]>
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      lines.withLock { $0.append("\(event.message)") }
    }
  }

  @Test("one warning stands for many events with a bad value, and a later one says how many there were")
  func warnings() async throws {
    let lines = Locked<[String]>([])
    let bench = try Bench { configuration in
      configuration.logger = Logger(label: "test") { _ in Handler(lines: lines) }
      configuration.digest.start = .onDemand
    }
    for _ in 0..<1000 { bench.tracker.sendLog(name: "a", payload: ["bad": Double.nan]) }
    await bench.tracker.persist()
    expectNoDifference(lines.current.count, 1)
    bench.clock.advance(by: OutcomeBroadcaster.lineInterval)
    bench.tracker.sendLog(name: "a", payload: ["bad": Double.nan])
    await bench.tracker.persist()
    expectNoDifference(lines.current.count, 2)
    #expect(lines.current.last?.contains("999 other lines") == true)
    await bench.tracker.shutdown()
  }

  @Test("a client that is logged through replaces no real event by its own lines")
  func logged() async throws {
    let lines = Locked<[String]>([])
    let client = Locked<Tracker?>(nil)
    let bench = try Bench { configuration in
      configuration.quota.events = 101
      configuration.digest.start = .onDemand
      configuration.observer = { outcome in
        if case .dropped = outcome { lines.withLock { $0.append("dropped") } }
      }
      configuration.logger = Logger(label: "test") { _ in
        LoggedThrough { text in client.current?.sendLog(name: "log", payload: ["line": .string(text)]) }
      }
    }
    client.withLock { $0 = bench.tracker }
    for number in 0..<101 { bench.tracker.sendLog(name: "\(number)", payload: [:]) }
    for _ in 0..<20 { await bench.tracker.persist() }
    bench.tracker.sendLog(name: "one too many", payload: [:])
    for _ in 0..<200 { await bench.tracker.persist() }
    client.withLock { $0 = nil }
    await bench.tracker.flush()
    let real = bench.receivedNames.filter { $0 != "log" }
    #expect(real.count >= 99, "\(real.count)")
  }

  private struct LoggedThrough: LogHandler {
    let write: @Sendable (String) -> Void
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.trace

    init(_ write: @escaping @Sendable (String) -> Void) {
      self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      write("\(event.message)")
    }
  }

  @Test("a cancelled flush says that it was cancelled")
  func cancelled() async throws {
    let bench = try Bench(ScriptedTransport(then: .failure(.connectionFailed("offline")))) {
      $0.digest.start = .onDemand
    }
    let outcomes = bench.tracker.outcomes()
    bench.tracker.sendLog(name: "a", payload: [:])
    let flush = Task { await bench.tracker.flush() }
    _ = await outcomes.first { if case .retry = $0 { true } else { nil } }
    flush.cancel()
    #expect(await flush.value.obstacle == .cancelled)
    await bench.tracker.shutdown(timeout: .zero)
  }

  @Test("an orderly shutdown counts what waits")
  func shutdown() async throws {
    let folder = try TemporaryFolder()
    let bench = try Bench(storage: .file(folder.file("db"))) { $0.digest.start = .onDemand }
    await bench.tracker.pause()
    for _ in 0..<3 {
      bench.tracker.sendLog(name: "a", payload: [:])
      await bench.tracker.persist()
    }
    await bench.tracker.shutdown()
    let counters = try await DatabaseQueue(path: folder.file("db").path).read { db in
      try Row.fetchAll(db, sql: "SELECT counter, value FROM ledger").reduce(into: [String: Int]()) { $0[$1[0]] = $1[1] }
    }
    expectNoDifference(counters["accepted"], 3)
    expectNoDifference(counters["pending"], 3)
  }

  @Test("dead letters are erased when they are older than the quota's age, and stay counted")
  func oldDeadLetters() async throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    func store() throws -> SQLiteTrackingDataStore {
      try SQLiteTrackingDataStore(file: folder.file("db"), quota: .init(age: .seconds(3600)), time: clock.timeSource)
    }
    func letter(_ number: UInt64, _ store: SQLiteTrackingDataStore) throws {
      let event = TrackingData(
        TrackingEvent(id: EventID(high: 1, low: number), time: 1, name: "\(number)", payload: [:]))
      _ = try store.append([event], dropped: [:], inFlight: nil)
      let stored = try store.batch(maximumEvents: 1, maximumBytes: .max)
      try store.resolve(delivered: [], deadLettered: stored.map { DeadLetter(event: $0, reason: "bad") })
    }
    var store = try store()
    try letter(1, store)
    clock.advance(by: .seconds(3000))
    try letter(2, store)
    expectNoDifference(try store.deadLetters().map(\.event.name), ["1", "2"])
    clock.advance(by: .seconds(1000))
    try letter(3, store)
    expectNoDifference(try store.deadLetters().map(\.event.name), ["2", "3"])
    store.close()
    clock.advance(by: .seconds(3000))
    store = try SQLiteTrackingDataStore(
      file: folder.file("db"), quota: .init(age: .seconds(3600)), time: clock.timeSource)
    store.reclaimSpace()
    expectNoDifference(try store.deadLetters().map(\.event.name), ["3"])
    expectNoDifference(try store.ledger(), TrackingLedger(accepted: 3, deadLettered: 3, deadLettersErased: 2))
  }
}
