import CustomDump
import DualSendCore
import DualSendTesting
import DualSendTracking
import Foundation
import Testing

@Suite("A damaged database", .timeLimit(.minutes(5)))
struct DamagedFileTests {
  private static let rounds = 60 * FaultRun.factor

  /// The files of a database, as a process leaves them that closed it, and as one leaves them that was killed.
  private struct Files {
    var database: Data
    var log: Data?
  }

  @Test("never crashes a tracker, stays or is set aside, and leaves a ledger that balances", .timeLimit(.minutes(10)))
  func damage() async throws {
    let (closed, killed) = try Self.originals()
    var setAside = 0
    for round in 0..<Self.rounds {
      let seed = FaultRun.seed &* 1_000_003 &+ UInt64(round)
      var random = SplitMix64(seed: seed)
      var files = random.number(below: 2) == 0 ? closed : killed
      if let log = files.log, random.number(below: 2) == 0 {
        files.log = Self.damaged(log, using: &random)
      } else {
        files.database = Self.damaged(files.database, using: &random)
      }
      if try await Self.usesDamaged(files, seed: seed) { setAside += 1 }
    }
    FaultRun.report(
      "bit flips and truncations: \(Self.rounds) databases, \(setAside) set aside, 0 crashes, seed \(FaultRun.seed)")
  }

  /// Starts a tracker on the files, twice.
  ///
  /// - Returns: whether the database was set aside.
  private static func usesDamaged(_ files: Files, seed: UInt64) async throws -> Bool {
    let folder = try TemporaryFolder()
    let file = folder.file("events.sqlite")
    try files.database.write(to: file)
    try files.log?.write(to: folder.file("events.sqlite-wal"))
    var setAside = 0
    // An event that a damaged database took may go with it; then that is known.
    for session in ["first", "second"] {
      let delivered = Locked<[String]>([])
      let failures = Locked<[TrackingStoreError]>([])
      let url = try #require(URL(string: "http://collector.test/events"))
      let tracker = Tracker(
        configuration: TrackerConfiguration(
          endpoint: TrackingEndpoint(url: url), storage: .file(file), transport: ScriptedTransport(),
          time: ManualClock().timeSource
        ) {
          $0.observer = { outcome in
            if case .delivered(let events) = outcome { delivered.withLock { $0 += events.map(\.name) } }
            if case .storeFailed(let error) = outcome { failures.withLock { $0.append(error) } }
          }
          $0.logger = .silent
        })
      tracker.sendLog(name: session, payload: [:])
      let unsaved = await tracker.persist()
      await tracker.shutdown()
      let ledger = await tracker.statistics.ledger
      #expect(
        unsaved == 0 && ledger.isBalanced && ledger.pending == 0
          && (delivered.current.contains(session) || ledger.databasesSetAside > setAside),
        "seed \(seed), \(session): \(ledger), \(failures.current)")
      setAside = ledger.databasesSetAside
    }
    let isKept = FileManager.default.fileExists(atPath: file.path + ".damaged-1")
    expectNoDifference(isKept, setAside > 0, "seed \(seed)")
    return isKept
  }

  private static func damaged(_ data: Data, using random: inout SplitMix64) -> Data {
    var data = data
    if random.number(below: 4) == 0 { return data.prefix(random.number(below: data.count)) }
    for _ in 0...random.number(below: 8) {
      // Half of the flips strike the first page: the header and the schema.
      let reach = random.number(below: 2) == 0 ? min(data.count, 4096) : data.count
      data[random.number(below: reach)] ^= 1 << UInt8(random.number(below: 8))
    }
    return data
  }

  /// A database with waiting events, dead letters, notes and freed pages.
  private static func originals() throws -> (closed: Files, killed: Files) {
    let folder = try TemporaryFolder()
    let file = folder.file("events.sqlite")
    let log = folder.file("events.sqlite-wal")
    var killed: Files
    do {
      let store = try SQLiteTrackingDataStore(file: file)
      var generator = SplitMix64(seed: 1)
      for _ in 0..<30 {
        let events = (0..<4).map { number in
          TrackingData(
            TrackingEvent(
              id: EventID(milliseconds: 1, using: &generator), time: 1, name: "event \(number)",
              payload: ["text": .string(FaultRun.text(generator.number(below: 300), seed: Int(generator.next() >> 2)))])
          )
        }
        _ = try store.append(events, dropped: [.inboxFull: 1], inFlight: nil)
        let batch = try store.batch(maximumEvents: 2, maximumBytes: .max)
        try store.resolve(
          delivered: Array(batch.prefix(1)), deadLettered: batch.dropFirst().map { DeadLetter(event: $0, reason: "no") }
        )
      }
      killed = Files(database: try Data(contentsOf: file), log: try Data(contentsOf: log))
    }
    return (Files(database: try Data(contentsOf: file), log: nil), killed)
  }
}
