import DualSendCore
import DualSendRemapping
import DualSendTracking
import Logging

extension DualSendTracker {
  /// Statistics of a remapping table. Counts only; no values.
  public struct RemappingStatistics: Sendable, Hashable {
    /// Remapped events, counted once for each sink of the new side.
    public internal(set) var events = 0
    /// Mapped values whose target key already existed in the payload.
    public internal(set) var clashes = 0
    /// Values that could not be converted to the table's type.
    public internal(set) var conversionFailures = 0
    /// Keys without a row, for events with `"unmapped": "report"`.
    public internal(set) var unmappedKeys = 0
  }
}

/// Applies the remapping table to events.
final class RemappingProcessor: EventProcessor {
  private let table: RemappingTable
  private let counts = Locked(DualSendTracker.RemappingStatistics())

  /// - Parameter logger: logs the rows that were left out of a table literal.
  init(_ table: RemappingTable, logger: Logger = Logger(label: "dualsend.remapping")) {
    self.table = table
    for problem in table.problems { logger.error("a row of the remapping table was left out: \(problem)") }
  }

  var statistics: DualSendTracker.RemappingStatistics { counts.current }

  func transformed(
    _ event: TrackingEvent, source: (any TypedEvent)?, captured: [MutationChain.Captured]?
  ) -> TrackingEvent? {
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
