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
