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
