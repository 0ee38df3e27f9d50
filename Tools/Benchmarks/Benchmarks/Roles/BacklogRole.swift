import DualSend
import DualSendTracking
import Foundation

/// What a process used to work on a store with a backlog.
struct BacklogUsage: Codable {
  /// Until the store was open and had said how much waits, in milliseconds of a clock.
  let openMilliseconds: Double
  /// Processor time for one event, in nanoseconds.
  let append: Double
  let batch: Double
  let resolve: Double
  /// In bytes.
  let peakMemory: Int
}

/// A process of its own that opens a store, stores as many events as it delivers, and leaves the backlog as long as it was.
@MainActor
enum BacklogRole {
  /// With the first, which is not counted, fewer events than the shortest backlog has, so that all are read from the disk.
  private static let rounds = 8
  /// A whole row of the backlog, as the tracker's batches have.
  private static let events = 100

  static func work(on database: URL) throws {
    let start = Measure.nanoseconds()
    let store = try SQLiteTrackingDataStore(file: database, quota: Workload.unlimited)
    _ = try store.ledger()
    let open = Double(Measure.nanoseconds() - start) / 1e6
    var generator = SystemRandomNumberGenerator()
    var times = [[Double]](repeating: [], count: 3)
    for round in 0...rounds {
      let added = (0..<events).map { Workload.stored($0, id: EventID(milliseconds: Int64($0), using: &generator)) }
      var oldest: [TrackingData] = []
      let seconds = [
        try Measure.processorSeconds { _ = try store.append(added, dropped: [:], inFlight: nil) },
        try Measure.processorSeconds { oldest = try store.batch(maximumEvents: events, maximumBytes: .max) },
        try Measure.processorSeconds { try store.resolve(delivered: oldest, deadLettered: []) },
      ]
      guard round > 0 else { continue }
      for stage in times.indices { times[stage].append(seconds[stage] / Double(events) * 1e9) }
    }
    store.close()
    let medians = times.map { Samples($0).median }
    let usage = BacklogUsage(
      openMilliseconds: open, append: medians[0], batch: medians[1], resolve: medians[2],
      peakMemory: ProcessUsage.peakMemory)
    say(String(decoding: try JSONEncoder().encode(usage), as: UTF8.self))
  }
}
