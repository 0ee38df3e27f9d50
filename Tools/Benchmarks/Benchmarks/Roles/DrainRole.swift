import DualSend
import DualSendHTTPClient
import Foundation

/// What a process that drains a backlog used.
struct DrainUsage: Codable {
  let events: Int
  let pending: Int
  let seconds: Double
  let cpuSeconds: Double
  /// In bytes.
  let peakMemory: Int
  /// The database's file before and after, in bytes.
  let fileBefore: Int
  let fileAfter: Int
}

/// A tracker in a process of its own that finds a backlog on disk and delivers it.
@MainActor
enum DrainRole {
  static func drain(_ database: URL, to endpoint: URL) async throws {
    let fileBefore = try size(of: database)
    let start = Measure.nanoseconds()
    let configuration = TrackerConfiguration(
      endpoint: TrackingEndpoint(url: endpoint), storage: .file(database), quota: Workload.unlimited,
      transport: SystemTransport.make())
    let report = await Tracker(configuration: configuration).shutdown(timeout: .seconds(120))
    let usage = DrainUsage(
      events: report.sent, pending: report.pending, seconds: Double(Measure.nanoseconds() - start) / 1e9,
      cpuSeconds: ProcessUsage.cpuSeconds, peakMemory: ProcessUsage.peakMemory, fileBefore: fileBefore,
      fileAfter: try size(of: database))
    say(String(decoding: try JSONEncoder().encode(usage), as: UTF8.self))
  }

  private static func size(of file: URL) throws -> Int {
    // A new URL: one keeps what it was told of its file.
    try URL(fileURLWithPath: file.path).resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
  }
}
