import Foundation

/// What keeping 1,000 events costs a device that is otherwise asleep, by how fast they come: wake-ups, transactions, and
/// bytes for the disk, with every event committed at once and with the default window.
enum Battery: Benchmark {
  static let name = "battery"
  static let runsByDefault = false

  static func run() async throws -> BenchmarkReport {
    let folder = try TemporaryFolder()
    // All at once, in processes of their own: they sleep nearly all of the time.
    let runs = try [(1, 100), (10, 1000), (100, 1000)].flatMap { rate, events in
      try [0, 50].map { delay in
        let database = folder.file("\(rate)-\(delay).sqlite").path
        let child = try ChildProcess(.battery, [database, String(1000 / rate), String(delay), String(events)])
        return (rate: rate, delay: delay, events: events, child: child)
      }
    }
    var report = BenchmarkReport(
      "battery", "for 1,000 events, stored and not sent; at 1 an s 100 of them, times ten",
      columns: ["wake-ups", "transactions", "KB for the disk"])
    for run in runs {
      let line = run.child.finish() ?? ""
      let usage = try JSONDecoder().decode(BatteryUsage.self, from: Data(line.utf8))
      let scale = 1000 / Double(run.events)
      report.add(
        "\(run.rate) event\(run.rate == 1 ? "" : "s")/s, \(run.delay == 0 ? "no window" : "window of \(run.delay) ms")",
        Double(usage.wakeUps) * scale, Double(usage.transactions) * scale, Double(usage.bytesWritten) / 1000 * scale)
    }
    return report
  }
}
