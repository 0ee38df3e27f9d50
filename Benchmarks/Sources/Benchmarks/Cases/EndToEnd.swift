import DualSend
import DualSendHTTPClient

/// Events a second from the call to delivered and deleted, over HTTP on loopback, the collector in a process of its own.
enum EndToEnd: Benchmark {
  static let name = "end-to-end"
  private static let events = 100_000
  private static let rounds = 3

  private struct Setting {
    let name: String
    var compression = TrackingEndpoint.Compression.deflate
    var digest = TrackerConfiguration.Digest()
  }

  private struct Run {
    let rate: Double
    let eventsABatch: Double
    let cpuSecondsAMillion: Double
  }

  static func run() async throws -> BenchmarkReport {
    let settings = [
      Setting(name: "default batches, deflate"),
      Setting(name: "default batches, not compressed", compression: .none),
      Setting(
        name: "2,000 events and 1 MiB, deflate",
        digest: TrackerConfiguration.Digest(batchEvents: 2000, batchBytes: 1 << 20)),
    ]
    var runs = settings.map { _ in [Run]() }
    for _ in 0..<rounds {
      for (index, setting) in settings.enumerated() { runs[index].append(try await deliver(setting)) }
    }
    let standard = TrackerConfiguration.Digest()
    var report = BenchmarkReport(
      "end to end",
      "\(events) events, medians of \(rounds) rounds; default: \(standard.batchEvents) events, \(standard.batchBytes) bytes",
      columns: ["events/s", "slowest", "fastest", "events/batch", "CPU s/million"])
    for (setting, runs) in zip(settings, runs) {
      let rates = Samples(runs.map(\.rate))
      report.add(
        setting.name, rates.median, rates.percentile(0), rates.percentile(100),
        Samples(runs.map(\.eventsABatch)).median,
        Samples(runs.map(\.cpuSecondsAMillion)).median)
    }
    report.promise(
      .atLeast(100_000, "at least 100,000 events/s, \(settings[2].name)", found: Samples(runs[2].map(\.rate)).median))
    return report
  }

  private static func deliver(_ setting: Setting) async throws -> Run {
    let folder = try TemporaryFolder()
    let collector = try CollectorProcess()
    let endpoint = TrackingEndpoint(url: collector.url, compression: setting.compression)
    let tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: endpoint, storage: .file(folder.file("events.sqlite")), quota: Workload.unlimited,
        digest: setting.digest,
        inboxCapacity: events, transport: SystemTransport.make()))
    let cpuBefore = ProcessUsage.cpuSeconds
    let seconds = await Measure.seconds {
      for number in 0..<events {
        tracker.sendLog(name: Workload.eventName, payload: Workload.parameters(number))
      }
      await tracker.flush(timeout: .seconds(60))
    }
    let cpu = ProcessUsage.cpuSeconds - cpuBefore
    let statistics = await tracker.statistics
    await tracker.shutdown()
    let collected = collector.finish()
    guard statistics.ledger.delivered == events, statistics.ledger.isBalanced, collected == events else {
      throw InvalidRun(
        description: "\(statistics.ledger); the collector has \(collected.map(String.init) ?? "nothing")")
    }
    return Run(
      rate: Double(events) / seconds, eventsABatch: Double(events) / Double(statistics.requests),
      cpuSecondsAMillion: cpu / Double(events) * 1e6)
  }
}
