import DualSend

/// Events a second from the call to delivered and deleted, over HTTP on loopback, the collector in a process of its own.
enum EndToEnd: Benchmark {
  static let name = "end-to-end"
  private static let events = 100_000

  static func run() async throws -> BenchmarkReport {
    let digest = TrackerConfiguration.Digest()
    var report = BenchmarkReport(
      "end to end", "\(events) events, batches of at most \(digest.batchEvents) events and \(digest.batchBytes) bytes",
      columns: ["events/s", "events/batch", "CPU s/million"])
    for (name, compression) in [("deflate", TrackingEndpoint.Compression.deflate), ("not compressed", .none)] {
      let run = try await deliver(compression, digest)
      report.add(name, run.rate, run.eventsABatch, run.cpuSecondsAMillion)
      if compression == .deflate {
        report.promise(.atLeast(100_000, "at least 100,000 events/s", found: run.rate))
      }
    }
    return report
  }

  private static func deliver(
    _ compression: TrackingEndpoint.Compression, _ digest: TrackerConfiguration.Digest
  ) async throws -> (rate: Double, eventsABatch: Double, cpuSecondsAMillion: Double) {
    let folder = try TemporaryFolder()
    let collector = try CollectorProcess()
    let endpoint = TrackingEndpoint(url: collector.url, compression: compression)
    let tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: endpoint, storage: .file(folder.file("events.sqlite")), quota: Workload.unlimited, digest: digest,
        inboxCapacity: events))
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
    return (
      Double(events) / seconds, Double(events) / Double(statistics.requests), cpu / Double(events) * 1e6
    )
  }
}
