import DualSend
import Foundation

/// What a tracker costs from its `init` until the events of the last launch are on their way, and what it keeps while it has
/// nothing to do. Each run is a process of its own.
enum Launch: Benchmark {
  static let name = "launch"
  private static let rounds = 9
  private static let waiting = [0, 10_000]
  /// Longer than libdispatch keeps threads without work, in seconds.
  private static let rest = 12

  static func run() async throws -> BenchmarkReport {
    let folder = try TemporaryFolder()
    var report = BenchmarkReport(
      "launch", "from a tracker's init, beside events of the last launch; medians of \(rounds) processes",
      columns: ["accepted ms", "stored ms", "all delivered ms", "MB at rest", "threads at rest"])
    let idle = try usage(ChildProcess(.rest, [String(rest)]))
    report.add("no tracker, after a task that slept", nil, nil, nil, Double(idle.bytes) / 1e6, Double(idle.threads))
    var threads = 0
    for count in waiting {
      var launches: [LaunchUsage] = []
      for round in 0..<rounds {
        let file = folder.file("\(count)-\(round).sqlite")
        if count > 0 { try Backlog.fill(file, count) }
        launches.append(try usage(ChildProcess(.launch, [file.path, "0"])))
      }
      // At the same time, because they sleep.
      let files = (0..<rounds).map { folder.file("rest-\(count)-\($0).sqlite") }
      for file in files where count > 0 { try Backlog.fill(file, count) }
      let resting = try files.map { try ChildProcess(.launch, [$0.path, String(rest)]) }.map(usage)
      func median(_ usages: [LaunchUsage], _ value: (LaunchUsage) -> Double) -> Double {
        Samples(usages.map(value)).median
      }
      threads = max(threads, resting.map(\.threads).max() ?? 0)
      report.add(
        "\(count) events waiting", median(launches, \.accepted), median(launches, \.stored),
        median(launches, \.delivered), median(resting) { Double($0.bytes) / 1e6 },
        median(resting) { Double($0.threads) })
    }
    report.promise(
      .atMost(
        0, "no thread is kept \(rest) s after the last event, beside those of libdispatch",
        found: Double(threads - idle.threads)))
    return report
  }

  private static func usage(_ child: ChildProcess) throws -> LaunchUsage {
    try JSONDecoder().decode(LaunchUsage.self, from: Data((child.finish() ?? "").utf8))
  }
}

// MARK: - Launch role

/// What a process paid for a tracker.
struct LaunchUsage: Codable {
  /// From before the tracker's `init`, in milliseconds of a clock: until a call has returned, until its event is stored, and
  /// until nothing waits any longer.
  var accepted = 0.0
  var stored = 0.0
  var delivered = 0.0
  /// What is resident more than before, in bytes.
  var bytes = 0
  /// The threads that run more than before.
  var threads = 0
}

/// Starts a tracker in a process of its own, as a launch does.
@MainActor
enum LaunchRole {
  /// What a process without a tracker keeps after a task that slept.
  static func rest(_ seconds: UInt32) async throws {
    var usage = LaunchUsage()
    let before = ProcessUsage.resident
    try await Task.sleep(for: .milliseconds(1))
    usleep(seconds * 1_000_000)
    let after = ProcessUsage.resident
    (usage.bytes, usage.threads) = (after.bytes - before.bytes, after.threads - before.threads)
    say(String(decoding: try JSONEncoder().encode(usage), as: UTF8.self))
  }

  /// - Parameter rest: the seconds after which memory and threads are measured while the events wait; 0 delivers them.
  static func launch(_ database: URL, rest: UInt32) async throws {
    // What the first event of any process costs Foundation and the runtime.
    keep(Workload.parameters(0))
    var usage = LaunchUsage()
    let before = ProcessUsage.resident
    let start = Measure.nanoseconds()
    func milliseconds() -> Double { Double(Measure.nanoseconds() - start) / 1e6 }
    let tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: URL(fileURLWithPath: "/nowhere")), storage: .file(database),
        transport: AcceptingTransport()
      ) {
        $0.quota = Workload.unlimited
        $0.digest = TrackerConfiguration.Digest(start: .onDemand)
      })
    tracker.sendLog(name: Workload.eventName, payload: Workload.parameters(1))
    usage.accepted = milliseconds()
    _ = await tracker.persist()
    usage.stored = milliseconds()
    if rest == 0 {
      let report = await tracker.flush()
      usage.delivered = milliseconds()
      guard report.pending == 0 else { throw InvalidRun(description: "\(report.pending) events wait after a flush") }
    } else {
      // Not a task's sleep, which would keep threads of its own.
      usleep(rest * 1_000_000)
    }
    let after = ProcessUsage.resident
    (usage.bytes, usage.threads) = (after.bytes - before.bytes, after.threads - before.threads)
    keep(tracker)
    say(String(decoding: try JSONEncoder().encode(usage), as: UTF8.self))
  }
}
