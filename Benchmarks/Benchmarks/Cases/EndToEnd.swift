import DualSend
import DualSendHTTPClient

/// Events a second from the call to delivered and deleted, over HTTP on loopback, the collector in a process of its own.
enum EndToEnd: Benchmark {
  static let name = "end-to-end"
  private static let events = 100_000
  private static let rounds = 5
  private static let sampleEvents = 5000

  private struct Setting {
    let name: String
    var compression = TrackingEndpoint.Compression.deflate
    var digest = TrackerConfiguration.Digest()
  }

  private struct Run {
    let rate: Double
    let eventsABatch: Double
    let cpuMicroseconds: Double
    /// What plain C takes for an event around the run, in microseconds.
    var plain = 1.0

    var timesPlain: Double { cpuMicroseconds / plain }
    var shareOfPlainRate: Double { rate * plain / 1e6 }
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
      for (index, setting) in settings.enumerated() {
        // Before and after, because a shared machine changes its speed within a run.
        let before = try PlainSQLite.cost().sending
        var run = try await deliver(setting)
        run.plain = (before + (try PlainSQLite.cost().sending)) / 2
        runs[index].append(run)
      }
    }
    let sample = try await SampleTracker.delivery(of: sampleEvents)
    let standard = TrackerConfiguration.Digest()
    var report = BenchmarkReport(
      "end to end",
      "\(events) events, medians of \(rounds) rounds; default: \(standard.batchEvents) events, \(standard.batchBytes) bytes",
      columns: ["events/s", "slowest", "fastest", "events/batch", "CPU \u{B5}s an event", "times plain C"])
    for (setting, runs) in zip(settings, runs) {
      let rates = Samples(runs.map(\.rate))
      report.add(
        setting.name, rates.median, rates.percentile(0), rates.percentile(100),
        Samples(runs.map(\.eventsABatch)).median, Samples(runs.map(\.cpuMicroseconds)).median,
        Samples(runs.map(\.timesPlain)).median)
    }
    let plain = Samples(runs.joined().map(\.plain)).median
    report.add("plain C, one after the other: insert, read, deflate, delete", 1e6 / plain, nil, nil, 2000, plain, 1)
    report.add(
      "the sample tracker's way, \(sampleEvents) events", sample.rate, nil, nil, 50, sample.cpuMicroseconds,
      sample.cpuMicroseconds / plain)
    report.promise(
      .atMost(
        1.4, "at most 1.4 times plain C, \(settings[0].name)", found: Samples(runs[0].map(\.timesPlain)).median))
    // The absolute targets were set on two processors on which plain C takes 5.6 µs for these events, 178,000 events/s.
    for (index, share, target) in [(2, 0.73, "130,000"), (0, 0.62, "110,000")] {
      report.promise(
        .atLeast(
          share, "at least \(share) of plain C's rate (\(target) events/s), \(settings[index].name)",
          found: Samples(runs[index].map(\.shareOfPlainRate)).median))
    }
    return report
  }

  private static func deliver(_ setting: Setting) async throws -> Run {
    let folder = try TemporaryFolder()
    let collector = try CollectorProcess()
    let endpoint = TrackingEndpoint(url: collector.url, compression: setting.compression)
    let tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: endpoint, storage: .file(folder.file("events.sqlite")), transport: SystemTransport.make()
      ) {
        $0.quota = Workload.unlimited
        $0.digest = setting.digest
        $0.intake.capacity = events
      })
    // Opens the store and connects, as plain C has before it is measured.
    tracker.sendLog(name: Workload.eventName, payload: Workload.parameters(0))
    await tracker.flush(timeout: .seconds(60))
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
    guard statistics.ledger.delivered == events + 1, statistics.ledger.isBalanced, collected == events + 1 else {
      throw InvalidRun(
        description: "\(statistics.ledger); the collector has \(collected.map(String.init) ?? "nothing")")
    }
    return Run(
      rate: Double(events) / seconds, eventsABatch: Double(events) / Double(statistics.requests - 1),
      cpuMicroseconds: cpu / Double(events) * 1e6)
  }
}
