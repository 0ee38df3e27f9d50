import DualSend
import DualSendHTTPClient
import DualSendTracking
import Foundation

/// What it takes to deliver a backlog of a million events, in a process that starts with nothing but the file.
enum Drain: Benchmark {
  static let name = "end-to-end"
  private static let events = 1_000_000
  private static let chunk = 10_000

  static func run() async throws -> BenchmarkReport {
    let folder = try TemporaryFolder()
    let database = folder.file("backlog.sqlite")
    try fill(database)
    let collector = try CollectorProcess()
    let plainBefore = try PlainSQLite.cost().draining
    let drainer = try ChildProcess(.drain, [database.path, collector.url.absoluteString])
    let line = drainer.finish() ?? ""
    let usage = try JSONDecoder().decode(DrainUsage.self, from: Data(line.utf8))
    let plain = (plainBefore + (try PlainSQLite.cost().draining)) / 2
    let collected = collector.finish()
    guard usage.events == events, usage.pending == 0, collected == events else {
      throw InvalidRun(description: "drained \(usage), the collector has \(collected.map(String.init) ?? "nothing")")
    }
    var report = BenchmarkReport(
      "drain", "\(events) events on disk, delivered by a fresh process",
      columns: ["peak MB", "events/s", "CPU \u{B5}s an event", "file MB before", "after"])
    let cpu = usage.cpuSeconds / Double(events) * 1e6
    let megabytes = Double(usage.peakMemory) / 1e6
    let (before, after) = (Double(usage.fileBefore) / 1e6, Double(usage.fileAfter) / 1e6)
    report.add("tracker's process", megabytes, Double(events) / usage.seconds, cpu, before, after)
    report.add("plain C: read, deflate, delete", nil, 1e6 / plain, plain, nil, nil)
    report.promise(.atMost(100, "at most 100 MB", found: megabytes))
    // Plain C reads, compresses and deletes each event; the tracker does so for runs of events.
    report.promise(.atMost(0.6, "at most 0.6 times plain C", found: cpu / plain))
    report.promise(.atMost(110, "a file of at most 110 MB before", found: before))
    report.promise(.atMost(1, "a file of at most 1 MB after", found: after))
    return report
  }

  private static func fill(_ database: URL) throws {
    let store = try SQLiteTrackingDataStore(file: database, quota: Workload.unlimited)
    var generator = SystemRandomNumberGenerator()
    for start in stride(from: 0, to: events, by: chunk) {
      let chunk = (start..<start + chunk).map { number in
        Workload.stored(number, id: EventID(milliseconds: Int64(number), using: &generator))
      }
      _ = try store.append(chunk, dropped: [:], inFlight: nil)
    }
  }
}

// MARK: - Drain role

/// What a process that drains a backlog used.
struct DrainUsage: Codable {
  let events: Int
  let pending: Int
  let seconds: Double
  let cpuSeconds: Double
  /// In bytes.
  let peakMemory: Int
  /// The database's file before and after, in bytes.
  let fileBefore: Int
  let fileAfter: Int
}

/// A tracker in a process of its own that finds a backlog on disk and delivers it.
@MainActor
enum DrainRole {
  static func drain(_ database: URL, to endpoint: URL) async throws {
    let fileBefore = try size(of: database)
    let start = Measure.nanoseconds()
    let configuration = TrackerConfiguration(
      endpoint: TrackingEndpoint(url: endpoint), storage: .file(database), transport: SystemTransport.make()
    ) {
      $0.quota = Workload.unlimited
    }
    let report = await Tracker(configuration: configuration).shutdown(timeout: .seconds(120))
    let usage = DrainUsage(
      events: report.sent, pending: report.pending, seconds: Double(Measure.nanoseconds() - start) / 1e9,
      cpuSeconds: ProcessUsage.cpuSeconds, peakMemory: ProcessUsage.peakMemory, fileBefore: fileBefore,
      fileAfter: try size(of: database))
    say(String(decoding: try JSONEncoder().encode(usage), as: UTF8.self))
  }

  private static func size(of file: URL) throws -> Int {
    // A new URL: one keeps what it was told of its file.
    try URL(fileURLWithPath: file.path).resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
  }
}
