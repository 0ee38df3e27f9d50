import DualSend
import Foundation

/// What a call costs the thread that makes it when calls come one at a time, as they do in an app: the tracker sleeps,
/// and each call finds cold caches. Beside it, how often that wakes the tracker, without a commit window and with one.
enum PacedCaller: Benchmark {
  static let name = "paced"
  private static let calls = 4000

  static func run() async throws -> BenchmarkReport {
    var report = BenchmarkReport(
      "paced calls",
      "one event of 10 parameters a call, 250 \u{B5}s of sleep before each, the dictionary's making included; in turns with "
        + "such a dictionary appended to an array",
      columns: ["p50 ns", "p99 ns", "p50 less baseline", "p99 less baseline"])
    let folder = try TemporaryFolder()
    for threads in [1, 2, 4] {
      for (name, delay, hasBothSinks) in [
        ("sendLog, no window", Duration.zero, false), ("sendLog", .milliseconds(50), false),
        ("logEvents, both sinks", .milliseconds(50), true),
      ] {
        let tracker = Tracker(
          configuration: TrackerConfiguration(
            endpoint: TrackingEndpoint(url: URL(fileURLWithPath: "/nowhere")),
            storage: .file(folder.file("\(name) \(threads).sqlite")), transport: AcceptingTransport()
          ) {
            $0.intake.commitDelay = delay
          })
        let logger = DualSendTracker(
          oldLogger: SilentLogger(), tracker: tracker,
          rollout: try RolloutSnapshot(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true),
          unitID: { "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d" })
        let kept = KeptDictionaries()
        let (baseline, call) = await PacedCalls.measure(
          threads: threads, calls: calls, baseline: { kept.append(Workload.parameters($0)) }
        ) { number in
          if hasBothSinks {
            logger.log(Workload.eventName, parameters: Workload.parameters(number))
          } else {
            tracker.sendLog(name: Workload.eventName, payload: Workload.parameters(number))
          }
        }
        guard await tracker.shutdown(timeout: .seconds(30)).pending == 0 else {
          throw InvalidRun(description: "the tracker kept events")
        }
        let title = "\(name), \(threads) thread\(threads == 1 ? "" : "s")"
        let (median, high) = (call.median - baseline.median, call.percentile(99) - baseline.percentile(99))
        report.add(title, call.median, call.percentile(99), median, high)
        // Absolute: 1.5 and 3 µs, 10 µs for one in a hundred, where the dictionary takes 3 and 10 µs.
        if delay > .zero {
          let limit = hasBothSinks ? 1 : 0.5
          report.promise(
            .atMost(
              limit, "\(title): median less baseline at most \(limit) times it (\(hasBothSinks ? 3 : 1.5) \u{B5}s)",
              found: median / baseline.median))
        }
        if delay > .zero, !hasBothSinks {
          report.promise(
            .atMost(
              1, "\(title): p99 less baseline at most that of the baseline (10 \u{B5}s)",
              found: high / baseline.percentile(99)))
        }
      }
    }
    return report
  }
}

/// What the cheapest logger that keeps anything would do, from any thread.
private final class KeptDictionaries: @unchecked Sendable {
  private let lock = NSLock()
  private var events: [(name: String, payload: [String: any Sendable])] = []

  func append(_ payload: [String: any Sendable]) {
    lock.withLock { events.append((Workload.eventName, payload)) }
  }
}
