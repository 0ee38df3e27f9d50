import DualSend
import Foundation

/// Events a second through five sinks with a store each, one of them dead: from the call to received and deleted.
enum Sinks: Benchmark {
  static let name = "sinks"
  private static let events = 50_000
  private static let rounds = 5

  static func run() async throws -> BenchmarkReport {
    var runs: [(rate: Double, cpu: Double, plain: Double)] = []
    for _ in 0..<rounds {
      // Before and after, because a shared machine changes its speed within a run.
      let before = try PlainSQLite.cost().storing
      let (rate, cpu) = try await deliver()
      runs.append((rate, cpu, (before + (try PlainSQLite.cost().storing)) / 2))
    }
    let rates = Samples(runs.map(\.rate))
    var report = BenchmarkReport(
      "sinks", "\(events) events to 5 sinks, each with SQLite on disk, one of them dead; medians of \(rounds) rounds",
      columns: ["events/s each", "slowest", "fastest", "CPU \u{B5}s an event and sink"])
    report.add(
      "4 of 5 sinks that work", rates.median, rates.percentile(0), rates.percentile(100),
      Samples(runs.map(\.cpu)).median)
    report.add("plain SQLite: insert, read, delete", nil, nil, nil, Samples(runs.map(\.plain)).median)
    // 8 µs an event and sink are 50,000 events/s each on two processors on which plain SQLite takes 3.1 µs.
    report.promise(
      .atMost(
        2.6, "an event and sink at most 2.6 times plain SQLite (50,000 events/s each: 8 \u{B5}s)",
        found: Samples(runs.map { $0.cpu / $0.plain }).median))
    return report
  }

  private static func deliver() async throws -> (rate: Double, cpu: Double) {
    let folder = try TemporaryFolder()
    let receivers = (0..<4).map { _ in CountingReceiver() }
    let working = receivers.enumerated().map { index, receiver in
      sink(Sink.ID(rawValue: "sink\(index)"), receiver, folder.file("sink\(index).sqlite"))
    }
    let dead = sink("dead", DeadReceiver(), folder.file("dead.sqlite"))
    guard let tracker = working[0].tracker else { throw InvalidRun(description: "no store") }
    let adapter = DualSendTracker(
      oldLogger: SilentLogger(), tracker: tracker,
      rollout: try RolloutSnapshot(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true),
      unitID: { "unit" }, oldSinks: [working[1]], newSinks: [working[2], working[3], dead])
    let cpuBefore = ProcessUsage.cpuSeconds
    let seconds = await Measure.seconds {
      for number in 0..<events { adapter.log(Workload.eventName, Workload.parameters(number)) }
      await withTaskGroup(of: Void.self) { group in
        for sink in working { group.addTask { _ = await sink.tracker?.flush(timeout: .seconds(60)) } }
      }
    }
    let cpu = ProcessUsage.cpuSeconds - cpuBefore
    for receiver in receivers {
      guard await receiver.count == events else {
        throw InvalidRun(description: "a sink received \(await receiver.count) of \(events)")
      }
    }
    await adapter.persist()
    let pending = await dead.statistics?.ledger.pending
    guard pending == events else { throw InvalidRun(description: "the dead sink keeps \(pending ?? 0)") }
    await adapter.shutdown(timeout: .seconds(1))
    return (Double(events) / seconds, cpu * 1e6 / Double(events * 5))
  }

  private static func sink(_ id: Sink.ID, _ receiver: any EventReceiver, _ file: URL) -> Sink {
    .buffered(id, to: receiver) { configuration in
      configuration.storage = .file(file)
      configuration.quota = Workload.unlimited
      configuration.inboxCapacity = events
      configuration.digest.batchEvents = 2000
      configuration.digest.batchBytes = 1 << 20
    }
  }
}

/// Counts what it receives.
private actor CountingReceiver: EventReceiver {
  private(set) var count = 0

  func receive(_ events: [TrackingData]) {
    count += events.count
  }
}

/// Never takes anything, and says that it might later.
private struct DeadReceiver: EventReceiver {
  func receive(_: [TrackingData]) async throws(EventReceiverFailure) {
    throw .unavailable("dead")
  }
}
