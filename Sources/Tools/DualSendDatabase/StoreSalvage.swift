import DualSendCore
package import DualSendTracking
package import Foundation
import GRDB

/// Recovers events from a damaged database, for `dualsend db salvage`.
package struct StoreSalvage: Sendable {
  /// The number of recovered events.
  package private(set) var events = 0
  /// The number of events with damaged bodies, which are not recovered.
  package private(set) var damagedEvents = 0
  /// Whether events were found only by a scan of the pages. Some of those may have been delivered already.
  package private(set) var isScanned = false
  /// The errors of SQLite; empty if it could read everything.
  package private(set) var faults: [TrackingStoreError] = []

  /// Calls `body` for every readable pending event, oldest first, except those that are only reachable backwards.
  ///
  /// Reads a copy with the full length. If damage ends the ascending walk, it continues after the damage, then walks
  /// backwards for the rest, and at last scans the pages for later events. A database that SQLite cannot read
  /// at all is only scanned.
  package init(of file: URL, _ body: (TrackingData) throws -> Void) throws {
    let file = file.resolvingSymlinksInPath()
    let snapshot: DatabaseSnapshot
    do {
      snapshot = try DatabaseSnapshot(file, isRepaired: true)
      try snapshot.queue.unsafeRead { try StoreInspection.checkTables($0) }
    } catch {
      let fault = TrackingStoreError(error)
      guard fault.kind == .damaged else { throw fault }
      faults = [fault]
      try scan(file, body)
      return
    }
    var seen = Seen()
    for direction in [Direction.up, .down] where direction == .up || !faults.isEmpty {
      // No transaction, because its end would fail after a damaged page.
      try snapshot.queue.unsafeRead { db in
        try walk(direction, db, &seen, body)
      }
    }
    guard !faults.isEmpty else { return }
    // A lost inner page hides hundreds of events whose pages are whole. Events before all others were delivered.
    try scan(file, after: seen.sequences.min() ?? .min, except: seen.events, body)
  }

  private mutating func scan(
    _ file: URL, after first: Int64 = .min, except known: Set<EventID> = [], _ body: (TrackingData) throws -> Void
  ) throws {
    let found = try PageScan(file)?.events { event in
      guard event.sequence >= first, !known.contains(event.id) else { return false }
      try body(event)
      return true
    }
    events += found ?? 0
    isScanned = isScanned || known.isEmpty || found != 0
  }

  /// What was read. Events by id, because a damaged row may have another one's sequence.
  private struct Seen {
    var events: Set<EventID> = []
    var sequences: Set<Int64> = []
  }

  private enum Direction {
    case up, down
  }

  private mutating func walk(
    _ direction: Direction, _ db: Database, _ seen: inout Seen, _ body: (TrackingData) throws -> Void
  ) throws {
    let (comparison, order) = direction == .up ? (">=", "ASC") : ("<=", "DESC")
    var start: Int64 = direction == .up ? .min : .max
    var step: Int64 = 1
    while true {
      var detour = 0
      do {
        let rows = try Row.fetchCursor(
          db,
          sql: """
            SELECT \(EventColumn.list) FROM event WHERE sequence \(comparison) ? ORDER BY sequence \(order)
            """, arguments: [start])
        while let row = try rows.next() {
          guard case .int64(let sequence) = DatabaseValue.Storage(row, .sequence) else { continue }
          try take(row, except: &seen, body)
          seen.sequences.insert(sequence)
          // Damage can lead back to earlier rows: only progress counts.
          if direction == .up ? sequence > start : sequence < start {
            (start, step, detour) = (sequence, 1, 0)
          } else {
            detour += 1
            if detour > Self.longestDetour { throw Self.circle }
          }
        }
        return
      } catch let error as DatabaseError {
        if faults.isEmpty { faults = [TrackingStoreError(error)] }
        guard let next = Self.next(start, direction, step, db) else { return }
        start = next
        // A leaf page holds dozens of events, and the pages below an inner page thousands.
        step = step < 64 ? step + 1 : step * 2
      }
    }
  }

  /// The most rows without progress before the walk continues elsewhere.
  private static let longestDetour = 10_000
  private static let circle = DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the pages lead in a circle")

  /// Where to continue after an unreadable place; `nil` at the end.
  private static func next(_ start: Int64, _ direction: Direction, _ step: Int64, _ db: Database) -> Int64? {
    // A damaged counter or row may have any value.
    let last = min((try? lastSequence(db)) ?? .max, 1 << 53)
    switch direction {
    case .up:
      let next = min(max(start, 0), last) + step
      return next > last ? nil : next
    case .down:
      let next = max(min(start, last + 1), 0) - step
      return next < 0 ? nil : next
    }
  }

  private static func lastSequence(_ db: Database) throws -> Int64? {
    let counted = try Int64.fetchOne(
      db, sql: "SELECT value FROM ledger WHERE counter = ?", arguments: [LedgerCounter.lastSequence])
    return counted.map { UncountedEvents.sequences(after: $0).upperBound }
  }

  private mutating func take(_ row: Row, except seen: inout Seen, _ body: (TrackingData) throws -> Void) throws {
    guard let found = StoreFormat.EventRow(row)?.events else {
      if case .int64(let sequence) = DatabaseValue.Storage(row, .sequence), seen.sequences.insert(sequence).inserted {
        damagedEvents += 1
      }
      return
    }
    for event in found where seen.events.insert(event.id).inserted {
      if event.isDamaged {
        damagedEvents += 1
      } else {
        try body(event)
        events += 1
      }
    }
  }
}
