import DualSendCore
import DualSendHTTPClient
import DualSendTracking
import Foundation
import Logging

/// A process that a test kills: it sends numbered events through a real tracker and says on stdout what it knows.
///
/// Arguments: the database, the collector's address, the first number, and `work` or `log` (until killed) or `drain`; or a
/// folder, `-`, the first number, and `work-sinks` or `drain-sinks`; or a
/// folder, `-`, a number and a mode of ``BreakerChild``.
@main
enum CrashChild {
  /// More events than this are not left waiting, so that the kills land between deliveries too.
  private static let longestQueue = 100

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let endpoint = URL(string: arguments[2]), let first = Int64(arguments[3]) else {
      throw CrashReport.Malformed(line: arguments.dropFirst().joined(separator: " "))
    }
    if arguments[4].hasPrefix("breaker-") {
      return try await BreakerChild.run(arguments[4], in: URL(fileURLWithPath: arguments[1]), first)
    }
    if arguments[4].hasSuffix("-sinks") {
      let folder = URL(fileURLWithPath: arguments[1])
      return try await SinksChild.run(in: folder, from: first, drains: arguments[4] == "drain-sinks")
    }
    let tracker = Tracker(configuration: configuration(URL(fileURLWithPath: arguments[1]), endpoint))
    try report(.ledger(await tracker.statistics.ledger))
    switch arguments[4] {
    case "drain": try await drain(tracker)
    case "log": try log(to: tracker, from: first)
    default: try await work(tracker, from: first)
    }
  }

  /// Logs as apps do, one event at a time, and leaves it to the tracker when to commit.
  private static func log(to tracker: Tracker, from first: Int64) throws {
    for number in first... {
      tracker.sendLog(name: "crash", payload: ["number": .int(number)])
      try report(.logged(number, at: TimeSource.system.uptime().inMilliseconds))
      usleep(500)
    }
  }

  private static func work(_ tracker: Tracker, from first: Int64) async throws {
    var next = first
    for burst in 1... {
      let numbers = next..<next + Int64(burst % 5 + 1)
      next = numbers.upperBound
      for number in numbers { tracker.sendLog(name: "crash", payload: ["number": .int(number)]) }
      if await tracker.persist() == 0 {
        for number in numbers { try report(.committed(number)) }
      }
      if await tracker.statistics.ledger.pending > longestQueue { await tracker.flush(timeout: .milliseconds(50)) }
    }
  }

  private static func drain(_ tracker: Tracker) async throws {
    await tracker.flush(timeout: .seconds(30))
    await tracker.shutdown()
    try report(.ledger(await tracker.statistics.ledger))
  }

  private static func configuration(_ database: URL, _ endpoint: URL) -> TrackerConfiguration {
    TrackerConfiguration(
      endpoint: TrackingEndpoint(url: endpoint, compression: .none, timeout: .seconds(5)), storage: .file(database),
      transport: ReportingTransport()
    ) {
      $0.digest = TrackerConfiguration.Digest(start: .immediately, batchEvents: 8)
      $0.retry.backoff = RetryBackoff(shape: .fullJitter, base: .milliseconds(1), cap: .milliseconds(20))
      $0.logger = Logger(label: "crash-child") { _ in SwiftLogNoOpLogHandler() }
    }
  }

  /// One line in one system call, so that a kill leaves whole lines.
  static func report(_ report: CrashReport) throws {
    try FileHandle.standardOutput.write(contentsOf: Data((report.line + "\n").utf8))
  }
}

/// The real transport, which first says what it is about to send.
private struct ReportingTransport: HTTPTransport {
  private let transport = SystemTransport.make()

  func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
    for (id, number) in Self.events(in: request.body ?? []) {
      do { try CrashChild.report(.sent(id, number)) } catch { throw .connectionFailed("stdout is closed") }
    }
    return try await transport.send(request)
  }

  private static func events(in body: [UInt8]) -> [(EventID, Int64)] {
    guard case .array(let elements)? = try? JSONReader().value(body) else { return [] }
    return elements.compactMap { element in
      guard case .object(let members) = element, case .string(let text)? = members["eventId"],
        let id = EventID(text), case .object(let payload)? = members["payload"],
        case .int(let number)? = payload["number"]
      else { return nil }
      return (id, number)
    }
  }
}
