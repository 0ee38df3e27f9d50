import DualSend
import DualSendTracking
import Foundation

/// What an event costs beside a short and a very long backlog, how long such a store takes to open, and its memory.
///
/// Needs 1 GB of disk and some minutes, so that it runs only where it is named.
enum Backlog: Benchmark {
  static let name = "backlog"
  static let runsByDefault = false
  private static let sizes = [1000, 10_000, 100_000, 1_000_000, 10_000_000]
  private static let rounds = 5
  private static let chunk = 10_000

  static func run() async throws -> BenchmarkReport {
    let folder = try TemporaryFolder()
    for size in sizes { try fill(folder.file("\(size).sqlite"), size) }
    var runs = [[BacklogUsage]](repeating: [], count: sizes.count)
    for _ in 0..<rounds {
      for (index, size) in sizes.enumerated() {
        let child = try ChildProcess(.backlog, [folder.file("\(size).sqlite").path])
        runs[index].append(try JSONDecoder().decode(BacklogUsage.self, from: Data((child.finish() ?? "").utf8)))
      }
    }
    var report = BenchmarkReport(
      "backlog", "a store with so many events waiting, in a process of its own; medians of \(rounds) rounds",
      columns: ["open ms", "append ns", "batch ns", "resolve ns", "together", "times the shortest", "peak MB"])
    var together: [Double] = []
    for (size, runs) in zip(sizes, runs) {
      func median(_ value: (BacklogUsage) -> Double) -> Double { Samples(runs.map(value)).median }
      together.append(median { $0.append + $0.batch + $0.resolve })
      report.add(
        "\(size)", median(\.openMilliseconds), median(\.append), median(\.batch), median(\.resolve),
        together.last, together[together.count - 1] / together[0], median { Double($0.peakMemory) / 1e6 })
    }
    let longest = runs[runs.count - 1]
    let flat = (together.max() ?? 0) / together[0]
    report.promise(.atMost(1.1, "an event costs at most 1.1 times what it costs beside 1,000", found: flat))
    report.promise(
      .atMost(50, "open within 50 ms beside 10,000,000", found: Samples(longest.map(\.openMilliseconds)).median))
    report.promise(
      .atMost(60, "at most 60 MB beside 10,000,000", found: Double(longest.map(\.peakMemory).max() ?? 0) / 1e6))
    return report
  }

  /// Writes a database with events that wait.
  static func fill(_ database: URL, _ events: Int) throws {
    let store = try SQLiteTrackingDataStore(file: database, quota: Workload.unlimited)
    var generator = SystemRandomNumberGenerator()
    for start in stride(from: 0, to: events, by: chunk) {
      let chunk = (start..<min(start + chunk, events)).map { number in
        Workload.stored(number, id: EventID(milliseconds: Int64(number), using: &generator))
      }
      _ = try store.append(chunk, dropped: [:], inFlight: nil)
    }
    store.close()
  }
}

// MARK: - Backlog role

/// What a process used to work on a store with a backlog.
struct BacklogUsage: Codable {
  /// Until the store was open and had said how much waits, in milliseconds of a clock.
  let openMilliseconds: Double
  /// Processor time for one event, in nanoseconds.
  let append: Double
  let batch: Double
  let resolve: Double
  /// In bytes.
  let peakMemory: Int
}

/// A process of its own that opens a store, stores as many events as it delivers, and leaves the backlog as long as it was.
@MainActor
enum BacklogRole {
  /// With the first, which is not counted, fewer events than the shortest backlog has, so that all are read from the disk.
  private static let rounds = 8
  /// A whole row of the backlog, as the tracker's batches have.
  private static let events = 100

  static func work(on database: URL) throws {
    let start = Measure.nanoseconds()
    let store = try SQLiteTrackingDataStore(file: database, quota: Workload.unlimited)
    _ = try store.ledger()
    let open = Double(Measure.nanoseconds() - start) / 1e6
    var generator = SystemRandomNumberGenerator()
    var times = [[Double]](repeating: [], count: 3)
    for round in 0...rounds {
      let added = (0..<events).map { Workload.stored($0, id: EventID(milliseconds: Int64($0), using: &generator)) }
      var oldest: [TrackingData] = []
      let seconds = [
        try Measure.processorSeconds { _ = try store.append(added, dropped: [:], inFlight: nil) },
        try Measure.processorSeconds { oldest = try store.batch(maximumEvents: events, maximumBytes: .max) },
        try Measure.processorSeconds { try store.resolve(delivered: oldest, deadLettered: []) },
      ]
      guard round > 0 else { continue }
      for stage in times.indices { times[stage].append(seconds[stage] / Double(events) * 1e9) }
    }
    store.close()
    let medians = times.map { Samples($0).median }
    let usage = BacklogUsage(
      openMilliseconds: open, append: medians[0], batch: medians[1], resolve: medians[2],
      peakMemory: ProcessUsage.peakMemory)
    say(String(decoding: try JSONEncoder().encode(usage), as: UTF8.self))
  }
}
