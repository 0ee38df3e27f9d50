import DualSend
import DualSendCore
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

// MARK: - Battery role

/// What a process used to keep events that came at some pace.
struct BatteryUsage: Codable {
  /// How often one of its threads was woken, without the sleeps of the thread that logs and without those of the process
  /// at rest: libdispatch on Linux wakes a thread each second.
  let wakeUps: Int
  let transactions: Int
  /// What the kernel is to write to the disk for it, in bytes; 0 where it does not say.
  let bytesWritten: Int
}

/// What keeps the events.
enum BatteryKeeper: String, CaseIterable {
  case noWindow = "no window"
  case window = "window of 50 ms"
  /// One row and one transaction for each event.
  case plainSQLite = "plain SQLite"
  /// One line for each event.
  case plainFile = "plain file"
}

/// Keeps events as they come, in a process of its own, and sends none.
@MainActor
enum BatteryRole {
  /// How long the process rests first, longer than libdispatch keeps a thread without work.
  private static let restSeconds: UInt32 = 10

  /// - Parameter arguments: the file, the milliseconds between two events, a ``BatteryKeeper``, and the number of events.
  static func log(_ arguments: [String]) async throws {
    guard arguments.count == 4, let milliseconds = UInt32(arguments[1]),
      let keeper = BatteryKeeper(rawValue: arguments[2]), let events = Int(arguments[3])
    else { exit(64) }
    let file = URL(fileURLWithPath: arguments[0])
    let transactions = TransactionCount()
    let keep: (Int) throws -> Void
    var tracker: Tracker?
    switch keeper {
    case .noWindow, .window:
      let opened = Self.tracker(file, commitDelay: keeper == .window ? .milliseconds(50) : .zero, transactions)
      keep = { opened.sendLog(name: Workload.eventName, payload: Workload.parameters($0)) }
      tracker = opened
    case .plainSQLite:
      let plain = try PlainSQLite(file)
      var generator = SystemRandomNumberGenerator()
      keep = {
        try plain.append([Workload.stored($0, id: EventID(milliseconds: Int64($0), using: &generator))])
        transactions.add()
      }
    case .plainFile:
      try Data().write(to: file)
      let handle = try FileHandle(forWritingTo: file)
      var generator = SystemRandomNumberGenerator()
      keep = {
        let event = Workload.stored($0, id: EventID(milliseconds: Int64($0), using: &generator))
        try handle.write(contentsOf: event.body + [UInt8(ascii: "\n")])
      }
    }
    await tracker?.persist()
    let before = ProcessUsage.voluntarySwitches
    usleep(restSeconds * 1_000_000)
    let (switches, bytes) = (ProcessUsage.voluntarySwitches, bytesWritten)
    let perSecond = Double(switches - before - 1) / Double(restSeconds)
    let start = ContinuousClock.now
    for number in 0..<events {
      usleep(milliseconds * 1000)
      try keep(number)
    }
    await tracker?.persist()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let atRest = Int((perSecond * seconds).rounded()) + events
    let usage = BatteryUsage(
      wakeUps: ProcessUsage.voluntarySwitches - switches - atRest, transactions: transactions.count,
      bytesWritten: bytesWritten - bytes)
    say(String(decoding: try JSONEncoder().encode(usage), as: UTF8.self))
  }

  private static func tracker(_ file: URL, commitDelay: Duration, _ transactions: TransactionCount) -> Tracker {
    Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: URL(fileURLWithPath: "/nowhere")), storage: .file(file),
        transport: AcceptingTransport()
      ) {
        $0.digest = TrackerConfiguration.Digest(start: .onDemand)
        $0.intake.commitDelay = commitDelay
        $0.observer = { if case .stored = $0 { transactions.add() } }
      })
  }

  private static var bytesWritten: Int {
    let text = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("write_bytes:") } ?? ""
    return Int(line.filter(\.isNumber)) ?? 0
  }
}

private final class TransactionCount: Sendable {
  private let number = Locked(0)

  var count: Int { number.current }

  func add() {
    number.withLock { $0 += 1 }
  }
}
