import DualSend
import DualSendCore
import DualSendRollout
import DualSendTracking
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The child with a breaker.
///
/// - `breaker-work` logs through an adapter, with a rollout of this revision, until it is killed.
/// - `breaker-rest` does the same until its launch counts as healthy, and then kills itself.
enum BreakerChild {
  static func run(_ mode: String, in folder: URL, _ number: Int64) async throws {
    switch mode {
    case "breaker-rest": try await work(in: folder, revision: number, untilHealthy: true)
    default: try await work(in: folder, revision: number, untilHealthy: false)
    }
  }

  private static func work(in folder: URL, revision: Int64, untilHealthy: Bool) async throws {
    let text =
      #"{"formatVersion":1,"revision":\#(revision),"salt":"s","shouldSendLogToOldLogger":0,"shouldSendLogToNewTracker":100}"#
    let rollout = RolloutSnapshot(try RolloutDocument(reading: Array(text.utf8), name: "rollout.json"))
    guard let url = URL(string: "http://127.0.0.1:9") else { return }
    let file = folder.appendingPathComponent("breaker")
    let logger = DualSendTracker(oldLogger: PrintingLogger(), collector: url, rollout: url) { configuration in
      configuration.tracker.storage = .file(folder.appendingPathComponent("events.sqlite"))
      configuration.tracker.transport = Unreachable()
      configuration.storage = { $0 == "breaker" ? .file(file) : .memory() }
      configuration.inAppDefault = rollout
      configuration.unitID = { "unit" }
      var breaker = DualSendTracker.Breaker.Settings()
      breaker.appReportsEnds = true
      breaker.appVersion = "1"
      breaker.healthyAfter = untilHealthy ? .milliseconds(20) : .seconds(3600)
      configuration.breaker = breaker
    }
    let stored = try record(file)
    try CrashChild.report(
      .breaker(earlyEnds: stored?.earlyEnds ?? 0, isOpen: logger.breaker?.opening != nil))
    for number in Int64(0)... {
      logger.logEvents(name: "crash", parameters: ["number": number])
      usleep(500)
      if untilHealthy, try record(file)?.launching == nil { kill(getpid(), SIGKILL) }
    }
  }

  private static func record(_ file: URL) throws -> BreakerRecord? {
    try ByteStorage.file(file).read().flatMap(BreakerRecord.init(reading:))
  }
}

/// Says of each event that the old logger got it.
private struct PrintingLogger: OldLogger {
  func logEvents(name: String, parameters: [[String: Any]]) {
    for case let number as Int64 in parameters.map({ $0["number"] }) { try? CrashChild.report(.committed(number)) }
  }
}

private struct Unreachable: HTTPTransport {
  func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
    throw .connectionFailed("this transport reaches nothing")
  }
}
