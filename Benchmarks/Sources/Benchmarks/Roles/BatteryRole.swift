import DualSend
import Foundation

/// What a process used to keep events that came at some pace.
struct BatteryUsage: Codable {
  /// How often one of its threads was woken, without the sleeps of the thread that logs and without those of the process
  /// at rest: libdispatch on Linux wakes a thread each second.
  let wakeUps: Int
  let transactions: Int
  /// What the kernel is to write to the disk for it, in bytes; 0 where it does not say.
  let bytesWritten: Int
}

/// A tracker in a process of its own that stores events as they come and sends none.
@MainActor
enum BatteryRole {
  /// How long the process rests first, longer than libdispatch keeps a thread without work.
  private static let restSeconds: UInt32 = 10

  /// - Parameter arguments: the database, the milliseconds between two events, those of the commit window, and how many
  ///   events.
  static func log(_ arguments: [String]) async throws {
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    guard arguments.count == 4, numbers.count == 3 else { exit(64) }
    let transactions = TransactionCount()
    let tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: URL(fileURLWithPath: "/nowhere")),
        storage: .file(URL(fileURLWithPath: arguments[0])),
        digest: TrackerConfiguration.Digest(start: .onDemand), commitDelay: .milliseconds(numbers[1]),
        observer: { if case .stored = $0 { transactions.add() } }, transport: AcceptingTransport()))
    await tracker.persist()
    let before = ProcessUsage.voluntarySwitches
    usleep(restSeconds * 1_000_000)
    let (switches, bytes) = (ProcessUsage.voluntarySwitches, bytesWritten)
    let perSecond = Double(switches - before - 1) / Double(restSeconds)
    let start = ContinuousClock.now
    for number in 0..<numbers[2] {
      usleep(UInt32(numbers[0] * 1000))
      tracker.sendLog(name: Workload.eventName, payload: Workload.parameters(number))
    }
    await tracker.persist()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let atRest = Int((perSecond * seconds).rounded()) + numbers[2]
    let usage = BatteryUsage(
      wakeUps: ProcessUsage.voluntarySwitches - switches - atRest, transactions: transactions.count,
      bytesWritten: bytesWritten - bytes)
    say(String(decoding: try JSONEncoder().encode(usage), as: UTF8.self))
  }

  private static var bytesWritten: Int {
    let text = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("write_bytes:") } ?? ""
    return Int(line.filter(\.isNumber)) ?? 0
  }
}

private final class TransactionCount: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0

  var count: Int { lock.withLock { number } }

  func add() {
    lock.withLock { number += 1 }
  }
}
