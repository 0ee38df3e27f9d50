import DualSend
import Foundation

/// The new side, written by hand before the old logger is wrapped. Not used until then.
enum Telemetry {
  /// The collector; without it, events stay on disk.
  private static let collector = ProcessInfo.processInfo.environment["NEWSSTAND_COLLECTOR"].flatMap(URL.init(string:))
  private static let folder = CommandLine.arguments.dropFirst().first.map { URL(fileURLWithPath: $0) }

  /// The new tracker, which remains after the migration.
  static let tracker = Tracker(
    configuration: TrackerConfiguration(
      endpoint: TrackingEndpoint(url: collector ?? URL(fileURLWithPath: "/events")),
      storage: folder.map { .file($0.appendingPathComponent("events.sqlite")) } ?? .memory
    ) {
      $0.consent = collector == nil ? .pending : .granted
    })

  /// Combines the old logger with the new tracker. Every event goes to both, as with a rollout of 100 % on both sides
  /// from a server.
  static func dualSend(wrapping oldLogger: any OldLogger) throws -> DualSendTracker {
    let environment = ProcessInfo.processInfo.environment
    let table = URL(fileURLWithPath: environment["NEWSSTAND_TABLE"] ?? "Documents/remapping.json")
    return DualSendTracker(
      oldLogger: oldLogger, tracker: tracker,
      remapping: try RemappingTable(reading: try Data(contentsOf: table), name: table.lastPathComponent),
      rollout: try RolloutSnapshot(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true),
      unitID: { "installation-7" })
  }

  /// Delivers waiting events. Returns whether all were delivered.
  static func finish() async -> Bool {
    guard collector != nil else { return true }
    let report = await tracker.shutdown(timeout: .seconds(30))
    return report.pending == 0 && report.dropped.isEmpty && report.deadLettered == 0
  }
}

extension JSONLinesLogger: OldLogger {}
extension DualSendTracker: EventLogger {}
