import DualSend
import Foundation

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
        quota: Workload.unlimited, digest: TrackerConfiguration.Digest(start: .onDemand),
        transport: AcceptingTransport()))
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
