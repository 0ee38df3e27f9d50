import DualSendCore
import DualSendRemapping
import DualSendTracking
import Logging

extension DualSendTracker {
  /// What the remapping table met in the events it was applied to. Counts only; no values.
  public struct RemappingStatistics: Sendable, Hashable {
    /// Events remapped; one that several sinks store alike counts once for all of them, and every other sink for itself.
    public internal(set) var events = 0
    /// Mapped values whose target already stood in the payload.
    public internal(set) var clashes = 0
    /// Values that could not be converted to the type that the table names.
    public internal(set) var conversionFailures = 0
    /// Keys that the table asks to report because no row names them.
    public internal(set) var unmappedKeys = 0
  }
}

/// Gives events their new names.
final class RemappingTransform: EventTransform {
  private let table: RemappingTable
  private let counts = Locked(DualSendTracker.RemappingStatistics())

  /// - Parameter logger: told about the rows that a literal left out.
  init(_ table: RemappingTable, logger: Logger = Logger(label: "dualsend.remapping")) {
    self.table = table
    for problem in table.problems { logger.error("a row of the remapping table was left out: \(problem)") }
  }

  var statistics: DualSendTracker.RemappingStatistics { counts.current }

  func transformed(_ event: TrackingEvent, source: (any TypedEvent)?) -> TrackingEvent? {
    let remapped = table.apply(to: event.name, payload: event.payload)
    counts.withLock { counts in
      counts.events += 1
      counts.clashes += remapped.clashes
      counts.conversionFailures += remapped.conversionFailures
      counts.unmappedKeys += remapped.unmapped.count
    }
    return event.with(name: remapped.name, payload: remapped.payload)
  }
}
