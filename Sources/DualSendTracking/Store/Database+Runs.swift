import GRDB

/// The rows that hold a run of events. Such a row has the sequence of its last event, and `events` says how many it
/// holds.
extension Database {
  func insert(_ run: EventRun, last: Int64, storedAt: Int64) throws {
    let insertion = try RowStatement(
      """
      INSERT INTO event(sequence, id, time, storedAt, name, bytes, attempts, body, checksum, events)
      VALUES(?, x'', ?, ?, '', ?, 0, ?, ?, ?)
      """, in: self)
    insertion.bind(last, at: 1)
    insertion.bind(run.oldestTime, at: 2)
    insertion.bind(storedAt, at: 3)
    insertion.bind(Int64(run.bodyBytes), at: 4)
    insertion.bind(Int64(run.count), at: 7)
    try run.blob.withUnsafeBytes { blob in
      insertion.bind(blob, at: 5)
      insertion.bind(BodyChecksum.of(blob), at: 6)
      try insertion.run()
    }
  }

  /// The sequence of the oldest pending event.
  func oldestSequence() throws -> Int64? {
    try Int64.fetchOne(
      self, sql: "SELECT sequence - ifnull(events, 1) + 1 FROM event ORDER BY sequence LIMIT 1")
  }

  /// Opens the runs of which only a part is in the range.
  func openRuns(cutBy range: ClosedRange<Int64>) throws {
    try openRun(before: range.lowerBound)
    if range.upperBound < .max { try openRun(before: range.upperBound + 1) }
  }

  /// Opens the run that holds both this sequence and the one before it, if there is one: puts a row for each event in
  /// its place.
  func openRun(before sequence: Int64) throws {
    var found: (last: Int64, events: Int64)?
    let search = try RowStatement(
      "SELECT sequence, events FROM event WHERE sequence >= ? ORDER BY sequence LIMIT 1", in: self)
    search.bind(sequence, at: 1)
    try search.forEachRow { row in
      if !row.isNull(1) { found = (try row.integer(0), try row.integer(1)) }
      return false
    }
    guard let found, found.last &- found.events < sequence &- 1 else { return }
    let selection = try RowStatement(
      "SELECT \(StoredRow.columns), storedAt, bytes FROM event WHERE sequence = ?", in: self)
    selection.bind(found.last, at: 1)
    var events: [TrackingData] = []
    var (storedAt, bytes): (Int64, Int64) = (0, 0)
    try selection.forEachRow { row in
      (events, storedAt, bytes) = (try row.waitingEvents(), try row.integer(8), try row.integer(9))
      return false
    }
    if events.first?.isDamaged ?? false {
      // The counters include the run's bytes, so that its rows must count for as many.
      events[0] = events[0].lost(bytes: Int(bytes))
    } else if let run = events.first?.place?.run, !run.isReadable {
      events = events.map { $0.lost(bytes: $0.bodyCount) }
    }
    try self.run("DELETE FROM event WHERE sequence = ?", [found.last])
    _ = try insertRows(events[...], after: found.last - Int64(events.count), storedAt: storedAt)
  }
}
