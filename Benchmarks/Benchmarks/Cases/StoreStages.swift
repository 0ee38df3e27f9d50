import DualSend
import DualSendTracking

/// The store's three stages beside the same statements in plain calls of SQLite's C interface, in the same run.
enum StoreStages: Benchmark {
  static let name = "store"
  private static let events = 500
  private static let rounds = 60

  static func run() async throws -> BenchmarkReport {
    let folder = try TemporaryFolder()
    let store = try SQLiteTrackingDataStore(file: folder.file("store.sqlite"), quota: Workload.unlimited)
    let plain = try PlainSQLite(folder.file("plain.sqlite"))
    var generator = SystemRandomNumberGenerator()
    let batch = (0..<events).map { number in
      Workload.stored(number, id: EventID(milliseconds: Int64(number), using: &generator))
    }
    var storeTimes = [[Double]](repeating: [], count: 3)
    var plainTimes = storeTimes
    for round in 0...rounds {
      var waiting: [TrackingData] = []
      let ours = [
        try cpuNanoseconds { _ = try store.append(batch, dropped: [:], inFlight: nil) },
        try cpuNanoseconds { waiting = try store.batch(maximumEvents: events, maximumBytes: .max) },
        try cpuNanoseconds { try store.resolve(delivered: waiting, deadLettered: []) },
      ]
      let theirs = [
        try cpuNanoseconds { try plain.append(batch) },
        try cpuNanoseconds { keep(try plain.batch(maximumEvents: events)) },
        try cpuNanoseconds { try plain.deleteAll() },
      ]
      guard round > 0 else { continue }
      for stage in 0..<3 {
        storeTimes[stage].append(ours[stage] / Double(events))
        plainTimes[stage].append(theirs[stage] / Double(events))
      }
    }
    var report = BenchmarkReport(
      "store stages", "\(events) events a transaction, WAL", columns: ["CPU ns/event", "plain SQLite", "ratio"])
    for (stage, name) in ["append", "batch", "resolve"].enumerated() {
      let (ours, theirs) = (Samples(storeTimes[stage]).median, Samples(plainTimes[stage]).median)
      report.add(name, ours, theirs, ours / theirs)
    }
    return report
  }

  private static func cpuNanoseconds(_ body: () throws -> Void) rethrows -> Double {
    let start = Measure.threadNanoseconds()
    try body()
    return Double(Measure.threadNanoseconds() - start)
  }
}
