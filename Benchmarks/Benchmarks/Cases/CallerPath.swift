import DualSend
import Foundation

/// What sending an event costs the thread that sends it, with a working tracker behind.
///
/// Calls follow one another without a pause; ``PacedCaller`` has calls that come one at a time.
enum CallerPath: Benchmark {
  static let name = "caller"
  private static let callsARound = 500

  static func run() async throws -> BenchmarkReport {
    let folder = try TemporaryFolder()
    let tracker = Tracker(configuration: configuration(folder.file("caller.sqlite")))
    let dualSend = try bothSinks(tracker)
    let calls = subjects(
      tracker, dualSend, watched: try bothSinks(tracker, sampling: ParitySampling(share: .none) { _ in }))
    let burst = await Measure.calls(calls, callsARound: callsARound, rounds: 40)
    let statistics = await tracker.shutdown(timeout: .seconds(30))
    guard statistics.pending == 0, statistics.dropped.isEmpty else {
      throw InvalidRun(description: "the tracker dropped or kept events: \(statistics)")
    }

    var report = BenchmarkReport(
      "caller path",
      "one event of 10 parameters a call, the dictionary's making and the clock included; SQLite on disk",
      columns: ["p50 ns", "p99 ns", "p99.9 ns"])
    for (call, samples) in zip(calls, burst) {
      report.add(call.name, samples.percentile(50), samples.percentile(99), samples.percentile(99.9))
    }
    // The dictionary is the call site's own, whatever it calls. Absolute: 1 µs where it takes 0.8, 10 µs where 1.8.
    let (baseline, call) = (burst[1], burst[3])
    report.promise(
      .atMost(
        1.25, "sendLog with its dictionary at most 1.25 times the dictionary alone (1 \u{B5}s)",
        found: call.median / baseline.median))
    report.promise(
      .atMost(
        5.5, "p99 at most 5.5 times that of the dictionary alone (10 \u{B5}s)",
        found: call.percentile(99) / baseline.percentile(99)))
    return report
  }

  private static func bothSinks(_ tracker: Tracker, sampling: ParitySampling? = nil) throws -> DualSendTracker {
    DualSendTracker(
      oldLogger: SilentLogger(), tracker: tracker,
      rollout: try RolloutSnapshot(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true),
      unitID: { "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d" }
    ) { $0.sampling = sampling }
  }

  private static func configuration(_ file: URL) -> TrackerConfiguration {
    TrackerConfiguration(
      endpoint: TrackingEndpoint(url: URL(fileURLWithPath: "/nowhere")), storage: .file(file),
      transport: AcceptingTransport())
  }

  /// - Parameter watched: shows pairs of a sample to which its unit does not belong.
  private static func subjects(
    _ tracker: Tracker, _ dualSend: DualSendTracker, watched: DualSendTracker
  ) -> [Subject] {
    let array = PlainArray()
    var cast: [[String: Any]] = []
    let payload = Workload.parameters(7)
    let settle: () async -> Void = { await tracker.persist() }
    return [
      Subject("the clock alone") {},
      Subject("baseline: dictionary appended to an array") {
        array.append(Workload.parameters(7))
      } afterRound: {
        array.removeAll()
      },
      Subject("a dictionary and its cast to [String: Any], which the adapter does without") {
        cast.append(Workload.parameters(7) as [String: Any])
      } afterRound: {
        cast.removeAll(keepingCapacity: true)
      },
      Subject("Tracker.sendLog") {
        tracker.sendLog(name: Workload.eventName, payload: Workload.parameters(7))
      } afterRound: {
        await settle()
      },
      Subject("Tracker.sendLog, dictionary made before") {
        tracker.sendLog(name: Workload.eventName, payload: payload)
      } afterRound: {
        await settle()
      },
      Subject("Tracker.sendLog of EventValues") {
        tracker.sendLog(name: Workload.eventName, payload: Workload.values(7))
      } afterRound: {
        await settle()
      },
      Subject("DualSendTracker.logEvents, both sinks") {
        dualSend.log(Workload.eventName, parameters: Workload.parameters(7))
      } afterRound: {
        await settle()
      },
      Subject("the same, its unit outside a parity sample") {
        watched.log(Workload.eventName, parameters: Workload.parameters(7))
      } afterRound: {
        await settle()
      },
      Subject("the same with values converted on the caller's thread") {
        dualSend.logEvents(name: Workload.eventName, parameters: Workload.parameters(7))
      } afterRound: {
        await settle()
      },
    ]
  }
}

/// What the cheapest logger that keeps anything would do.
private final class PlainArray {
  private var events: [(name: String, payload: [String: any Sendable])] = []

  func append(_ payload: [String: any Sendable]) {
    events.append((Workload.eventName, payload))
  }

  func removeAll() {
    events.removeAll(keepingCapacity: true)
  }
}

struct SilentLogger: OldLogger {
  func logEvents(name _: String, parameters _: [[String: Any]]) {}
}

/// A network without a network: whatever is sent is accepted at once.
struct AcceptingTransport: HTTPTransport {
  func send(_: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
    HTTPTransportResponse(status: 200)
  }
}
