import DualSendCore
import GRDB

/// A run, or a part of one, in its place in the queue.
struct StoredRun {
  let events: [TrackingData]
  let storedAt: Int64

  /// The row's sequence.
  var last: Int64 { events.last?.sequence ?? .min }

  /// The events with these sequences.
  func part(where isIncluded: (Int64) -> Bool) -> StoredRun {
    StoredRun(events: events.filter { isIncluded($0.sequence) }, storedAt: storedAt)
  }
}

extension [TrackingData] {
  /// The events of a row, marked as damaged if they can never be decompressed.
  ///
  /// - Throws: a database error if there is no memory to decompress them.
  func markedIfUnreadable() throws -> [TrackingData] {
    do throws(Zlib.Failure) {
      try first?.checkReadable()
      return self
    } catch {
      if error == .outOfMemory { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
      return map { $0.lost(bytes: $0.bodyCount) }
    }
  }
}

/// The rows that hold a run of events. Such a row has the sequence of its last event, and `events` says how many it
/// holds.
extension Database {
  func insert(_ run: EventRun, last: Int64, attempts: Int, storedAt: Int64) throws {
    let insertion = try RowStatement(
      """
      INSERT INTO event(sequence, id, time, storedAt, name, bytes, attempts, body, checksum, events)
      VALUES(?, x'', ?, ?, '', ?, ?, ?, ?, ?)
      """, in: self)
    insertion.bind(last, at: 1)
    insertion.bind(run.oldestTime, at: 2)
    insertion.bind(storedAt, at: 3)
    insertion.bind(Int64(run.bodyBytes), at: 4)
    insertion.bind(Int64(attempts), at: 5)
    insertion.bind(Int64(run.count), at: 8)
    try run.blob.withUnsafeBytes { blob in
      insertion.bind(blob, at: 6)
      insertion.bind(BodyChecksum.of(blob), at: 7)
      try insertion.run()
    }
  }

  /// Inserts events of a former run in their places. Returns the bytes of their bodies.
  func insert(_ part: StoredRun) throws -> Int {
    guard let first = part.events.first?.sequence else { return 0 }
    return try insertRows(EventRun.packed(part.events), after: first - 1, storedAt: part.storedAt)
  }

  /// The sequence of the oldest pending event.
  func oldestSequence() throws -> Int64? {
    try Int64.fetchOne(
      self, sql: "SELECT sequence - ifnull(events, 1) + 1 FROM event ORDER BY sequence LIMIT 1")
  }

  /// Splits the runs of which only a part is in the range.
  func splitRuns(cutBy range: ClosedRange<Int64>) throws {
    try splitRun(before: range.lowerBound)
    if range.upperBound < .max { try splitRun(before: range.upperBound + 1) }
  }

  /// Splits the run that holds both this sequence and the one before it, if there is one.
  private func splitRun(before sequence: Int64) throws {
    guard let run = try storedRun(across: sequence) else { return }
    try self.run("DELETE FROM event WHERE sequence = ?", [run.last])
    _ = try insert(run.part { $0 < sequence })
    _ = try insert(run.part { $0 >= sequence })
  }

  /// The run that holds both this sequence and the one before it; `nil` if there is none.
  ///
  /// - Throws: a database error if there is no memory to decompress it.
  func storedRun(across sequence: Int64) throws -> StoredRun? {
    let selection = try RowStatement(
      """
      SELECT \(StoredRow.columns), storedAt, bytes FROM event
      WHERE sequence = (SELECT min(sequence) FROM event WHERE sequence >= ?1) AND sequence - events < ?1 - 1
      """, in: self)
    selection.bind(sequence, at: 1)
    var found: StoredRun?
    try selection.forEachRow { row in
      var events = try row.waitingEvents()
      if events[0].isDamaged {
        // The counters include the row's bytes, so that its events must count for as many.
        events[0] = events[0].lost(bytes: Int(try row.integer(9)))
      } else {
        events = try events.markedIfUnreadable()
      }
      found = StoredRun(events: events, storedAt: try row.integer(8))
      return false
    }
    return found
  }

  /// Writes the number of events of a row, where it differs from that of the events it holds.
  func repairCount(_ count: Int, ofRow sequence: Int64) throws {
    try run("UPDATE event SET events = nullif(?, 1) WHERE sequence = ?", [count, sequence])
  }
}
