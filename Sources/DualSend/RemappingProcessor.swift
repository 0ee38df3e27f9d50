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
  private let skipsNewEvents: Bool
  private let counts = Locked(DualSendTracker.RemappingStatistics())
  /// Names without an entry that were compared with the table's.
  private let unknown = Locked<Set<ExactText>>([])
  private static let maximumUnknown = 20
  private let logger: Logger
  /// `nil` if the use of the table is not recorded.
  let use: TableUse?

  /// - Parameters:
  ///   - skipsNewEvents: whether a typed event keeps its name and keys if the table has no entry for its name.
  ///   - recorder: the tracker whose database keeps the days on which the table's entries were used; `nil` for none.
  ///   - logger: logs the rows that were left out of a table literal.
  init(
    _ table: RemappingTable, skipsNewEvents: Bool = false, recorder: Tracker? = nil,
    logger: Logger = Logger(label: "dualsend.remapping")
  ) {
    self.table = table
    self.skipsNewEvents = skipsNewEvents
    self.logger = logger
    use = recorder.map { TableUse(names: table.rules.keys.inOrder(), tracker: $0) }
    for problem in table.problems { logger.error("a row of the remapping table was left out: \(problem)") }
  }

  var statistics: DualSendTracker.RemappingStatistics { counts.current }

  func transformed(
    _ event: TrackingEvent, source: (any TypedEvent)?, captured: [MutationChain.Captured]?
  ) -> TrackingEvent? {
    let hasEntry = table.hasEntry(for: event.name)
    if skipsNewEvents, source != nil, !hasEntry { return event }
    if hasEntry { use?.record(event.name, at: event.time) } else if source == nil { compare(event.name) }
    let remapped = table.apply(to: event.name, payload: event.payload)
    counts.withLock { counts in
      counts.events += 1
      counts.clashes += remapped.clashes
      counts.conversionFailures += remapped.conversionFailures
      counts.unmappedKeys += remapped.unmapped.count
    }
    return event.with(name: remapped.name, payload: remapped.payload)
  }

  /// Says once that a name without an entry may be a misspelt one.
  private func compare(_ name: String) {
    let isNew = unknown.withLock { $0.count < Self.maximumUnknown && $0.insert(ExactText(name)).inserted }
    guard isNew, let near = nearestWord(to: name, among: table.rules.keys) else { return }
    logger.notice("the table has no entry for \(name.printable()), but one for \(near.printable())")
  }
}

// MARK: - Use of the table

/// The day on which each entry of a table was last used, in a tracker's database.
final class TableUse: Sendable {
  private struct State: Sendable {
    /// Days since 1970 by name, of this launch.
    var days: [ExactText: Int64] = [:]
    /// Ends after the last write.
    var writes: Task<Void, Never>?
  }

  private static let millisecondsOfDay: Int64 = 86_400_000

  /// The names of the table's entries, sorted.
  private let names: [String]
  private let tracker: Tracker
  private let state = Locked(State())

  init(names: [String], tracker: Tracker) {
    self.names = names
    self.tracker = tracker
  }

  /// Records the use of an entry. Writes once a day for each, off the caller's thread.
  ///
  /// - Parameter time: milliseconds since 1970.
  func record(_ name: String, at time: Int64) {
    let (key, day) = (ExactText(name), time / Self.millisecondsOfDay)
    state.withLock { state in
      guard state.days[key].map({ $0 < day }) ?? true else { return }
      state.days[key] = day
      state.writes = Task { [previous = state.writes] in
        await previous?.value
        // Forgotten, so that the next event writes again.
        do { try await tracker.setNote(Self.note(name), day) } catch { self.state.withLock { $0.days[key] = nil } }
      }
    }
  }

  /// The names whose entries were used in the days before a time, sorted.
  func names(inLast days: Int, before time: Int64) async throws -> [String] {
    await tracker.persist()
    await state.current.writes?.value
    let first = time / Self.millisecondsOfDay - Int64(max(1, days)) + 1
    var used: [String] = []
    for name in names where try await tracker.note(Self.note(name)) ?? .min >= first { used.append(name) }
    return used
  }

  private static func note(_ name: String) -> String { "table.\(name)" }
}
