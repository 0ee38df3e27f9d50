import Foundation

/// What keeping 1,000 events costs a device that is otherwise asleep, by how fast they come: wake-ups, transactions, and
/// bytes for the disk. With every event committed at once, with the default window, and beside the same bytes appended
/// one event at a time by plain SQLite and to a plain file.
enum Battery: Benchmark {
  static let name = "battery"
  static let runsByDefault = false

  private struct Pace {
    /// Events per second.
    let rate: Int
    let events: Int
    /// The most wake-ups for one event.
    let wakeUps: Double
    /// The most bytes, as a multiple of what plain SQLite writes.
    let bytes: Double
  }

  private static let paces = [
    Pace(rate: 1, events: 100, wakeUps: 1.5, bytes: 0.8),
    Pace(rate: 10, events: 1000, wakeUps: 1.2, bytes: 0.8),
    Pace(rate: 100, events: 1000, wakeUps: 0.5, bytes: 0.22),
  ]

  static func run() async throws -> BenchmarkReport {
    let folder = try TemporaryFolder()
    // All at once, in processes of their own: they sleep nearly all of the time.
    let runs = try paces.map { pace in
      (
        pace: pace,
        children: try BatteryKeeper.allCases.map { keeper in
          let file = folder.file("\(pace.rate)-\(keeper)").path
          return try ChildProcess(
            .battery, [file, String(1000 / pace.rate), keeper.rawValue, String(pace.events)])
        }
      )
    }
    var report = BenchmarkReport(
      "battery", "for 1,000 events, stored and not sent; at 1 an s 100 of them, times ten",
      columns: ["wake-ups", "transactions", "KB for the disk"])
    for (pace, children) in runs {
      var found: [BatteryKeeper: BatteryUsage] = [:]
      let scale = 1000 / Double(pace.events)
      for (keeper, child) in zip(BatteryKeeper.allCases, children) {
        let usage = try JSONDecoder().decode(BatteryUsage.self, from: Data((child.finish() ?? "").utf8))
        found[keeper] = usage
        report.add(
          "\(pace.rate) an s, \(keeper.rawValue)", Double(usage.wakeUps) * scale,
          Double(usage.transactions) * scale, Double(usage.bytesWritten) / 1000 * scale)
      }
      guard let window = found[.window], let plain = found[.plainSQLite] else { continue }
      report.promise(
        .atMost(
          pace.wakeUps, "at \(pace.rate) an s an event wakes at most \(pace.wakeUps) threads",
          found: Double(window.wakeUps) / Double(pace.events)))
      guard plain.bytesWritten > 0 else { continue }
      report.promise(
        .atMost(
          pace.bytes, "at \(pace.rate) an s at most \(pace.bytes) × the bytes that plain SQLite writes",
          found: Double(window.bytesWritten) / Double(plain.bytesWritten)))
    }
    return report
  }
}
