import DualSend
import Foundation

/// The new side, as a team writes it by hand before it wraps the old logger. Until then nothing here runs.
enum Telemetry {
  /// Where events go; without it they stay on disk.
  private static let collector = ProcessInfo.processInfo.environment["NEWSSTAND_COLLECTOR"].flatMap(URL.init(string:))
  private static let folder = CommandLine.arguments.dropFirst().first.map { URL(fileURLWithPath: $0) }

  /// The new tracker, which remains when the old logger is gone.
  static let tracker = Tracker(
    configuration: TrackerConfiguration(
      endpoint: TrackingEndpoint(url: collector ?? URL(fileURLWithPath: "/events")),
      storage: folder.map { .file($0.appendingPathComponent("events.sqlite")) } ?? .memory,
      consent: collector == nil ? .pending : .granted))

  /// Puts the new tracker beside the old logger. Every event goes to both, as at 100 % on both sides of a rollout that
  /// a server hands out.
  static func dualSend(wrapping oldLogger: any OldLogger) throws -> DualSendTracker {
    let environment = ProcessInfo.processInfo.environment
    let table = URL(fileURLWithPath: environment["NEWSSTAND_TABLE"] ?? "Documents/remapping.json")
    return DualSendTracker(
      oldLogger: oldLogger, tracker: tracker,
      remapping: try RemappingTable(try Data(contentsOf: table), name: table.lastPathComponent),
      rollout: try RolloutSnapshot(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true),
      unitID: { "installation-7" })
  }

  /// Delivers what waits. Returns whether nothing was left behind.
  static func finish() async -> Bool {
    guard collector != nil else { return true }
    let report = await tracker.shutdown(timeout: .seconds(30))
    return report.pending == 0 && report.dropped.isEmpty && report.deadLettered == 0
  }
}

extension JSONLinesLogger: OldLogger {}
extension DualSendTracker: EventLogger {}
