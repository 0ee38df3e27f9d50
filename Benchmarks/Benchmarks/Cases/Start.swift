import DualSend
import Foundation

/// What a launch costs an app that has a document of 100 rules from its last run: from the stored bytes to a rollout in
/// force.
enum Start: Benchmark {
  static let name = "launch"
  private static let rounds = 101

  static func run() async throws -> BenchmarkReport {
    let document = Self.document()
    let stored = try await stored(document)
    let subjects = [
      subject("as stored", stored),
      Subject("JSONSerialization of the document alone") {
        keep(try? JSONSerialization.jsonObject(with: Data(document)))
      },
    ]
    let samples = await Measure.loops(subjects, callsARound: 1, rounds: rounds)
    var report = BenchmarkReport(
      "start", "a stored document of 100 rules, \(document.count / 1000) kB", columns: ["CPU ms", "p95"])
    for (subject, times) in zip(subjects, samples) {
      report.add(subject.name, times.median / 1e6, times.percentile(95) / 1e6)
    }
    report.promise(
      .atMost(
        4, "in force within 4 times what JSONSerialization takes for the document (2.5 ms)",
        found: samples[0].median / samples[1].median))
    return report
  }

  /// No request is made before somebody fetches.
  private struct NoTransport: HTTPTransport {
    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
      throw .connectionFailed("this transport reaches nothing")
    }
  }

  private static func subject(_ name: String, _ bytes: [UInt8]) -> Subject {
    // Nothing is written back, so that each start finds the same bytes.
    let storage = ByteStorage {
      bytes
    } write: { _ in
    }
    // Held beyond the round, because to let go of it is no part of a start.
    var started: RemoteConfigFetcher?
    return Subject(name) {
      let fetcher = fetcher(storage)
      keep(fetcher.snapshot.decision(for: Workload.eventName, context: DecisionContext(unitID: "unit-1")))
      started = fetcher
    } afterRound: {
      keep(started)
      started = nil
    }
  }

  private static func fetcher(_ storage: ByteStorage) -> RemoteConfigFetcher {
    RemoteConfigFetcher(RemoteConfigFetcher.Options(url: nil), storage: storage, transport: NoTransport())
  }

  /// What a run leaves that was offered the document.
  private static func stored(_ document: [UInt8]) async throws -> [UInt8] {
    let storage = ByteStorage.memory()
    let result = await fetcher(storage).offer(document)
    guard case .fresh = result, let bytes = try storage.read() else {
      throw InvalidRun(description: "the document was not stored: \(result)")
    }
    return bytes
  }

  private static func document() -> [UInt8] {
    let rules = (0..<100).map { number in
      """
          { "name": "rule \(number)", "match": { "events": ["screen\(number).*", "tap.button\(number)"],
            "appVersion": ">=25.\(number % 40).1", "platform": ["iOS"], "attributes": { "country": ["JP", "DE"] } },
            "shouldSendLogToNewTracker": \(number % 100) }
      """
    }
    let text = """
      {
        "formatVersion": 1,
        "revision": 12,
        "salt": "tracker-2025",
        "shouldSendLogToNewTracker": 5,
        "rules": [
      \(rules.joined(separator: ",\n"))
        ]
      }
      """
    return Array(text.utf8)
  }
}
