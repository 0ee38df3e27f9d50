import DualSendCore
import GRDB

/// Inserts and deletes rows of the event table, and updates the counters of pending events.
extension Database {
  /// Inserts events at the end of the queue, a row for each, and counts them as pending. The caller updates the rest of
  /// the ledger. Counts the events that ``insertUncounted(_:storedAt:)`` left first.
  ///
  /// - Returns: the sequence of the first event; the others follow it.
  @discardableResult
  func insert(_ events: [TrackingData], storedAt: Int64) throws -> Int64 {
    try insert([EventRun.Part(events: events[...], run: nil)], storedAt: storedAt)
  }

  /// Inserts events as rows and runs; see the other `insert`.
  func insert(_ parts: [EventRun.Part], storedAt: Int64) throws -> Int64 {
    try countUncounted()
    let start = try count(LedgerCounter.lastSequence)
    let count = parts.reduce(0) { $0 + $1.events.count }
    let bytes = try insertRows(parts, after: start, storedAt: storedAt)
    try add(count, to: LedgerCounter.lastSequence)
    try add(count, to: LedgerCounter.pending)
    try add(bytes, to: LedgerCounter.pendingBytes)
    return start + 1
  }

  /// Inserts events at the end of the queue without a change of the ledger, so that the transaction writes only the
  /// page of the events. See ``UncountedEvents``.
  ///
  /// - Returns: the sequence of the first event; `nil` if there would be too many uncounted events.
  func insertUncounted(_ parts: [EventRun.Part], storedAt: Int64) throws -> Int64? {
    let uncounted = try uncounted()
    let added = parts.reduce(0) { $0 + $1.events.count }
    guard uncounted.count + Int64(added) <= UncountedEvents.limit else { return nil }
    _ = try insertRows(parts, after: uncounted.newest, storedAt: storedAt)
    return uncounted.newest + 1
  }

  /// Inserts rows and runs with consecutive sequences. Returns the bytes of their bodies.
  func insertRows(_ parts: [EventRun.Part], after start: Int64, storedAt: Int64) throws -> Int64 {
    var sequence = start
    var bytes: Int64 = 0
    for part in parts {
      if let run = part.run {
        let attempts = part.events.first?.attempts ?? 0
        try insert(run, last: sequence + Int64(run.count), attempts: attempts, storedAt: storedAt)
        bytes &+= Int64(run.bodyBytes)
      } else {
        bytes &+= try insertRows(part.events, after: sequence, storedAt: storedAt)
      }
      sequence += Int64(part.events.count)
    }
    return bytes
  }

  /// Inserts a row for each event, with consecutive sequences. Returns the bytes of their bodies.
  private func insertRows(_ events: ArraySlice<TrackingData>, after start: Int64, storedAt: Int64) throws -> Int64 {
    var sequence = start
    // Wrapping, because a damaged row can have any size. See `delete`.
    var bytes: Int64 = 0
    let insertion = try RowStatement(
      """
      INSERT INTO event(\(EventColumn.list)) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, NULL)
      """, in: self)
    insertion.bind(storedAt, at: .storedAt)
    for event in events {
      sequence += 1
      bytes &+= Int64(event.bodyCount)
      insertion.bind(sequence, at: .sequence)
      insertion.bind(event.time, at: .time)
      insertion.bind(Int64(event.bodyCount), at: .bytes)
      insertion.bind(Int64(event.attempts), at: .attempts)
      var name = event.name
      try event.id.withBlob { id in
        try name.withUTF8 { name in
          try event.body.withUnsafeBytes { body in
            insertion.bind(id, at: .id)
            insertion.bind(text: name, at: .name)
            insertion.bind(body, at: .body)
            // A damaged event keeps a checksum that its body does not have.
            let checksum = BodyChecksum.of(body) ^ (event.isDamaged ? 0xFFFF_FFFF : 0)
            insertion.bind(BodyChecksum.row(checksum, at: RowPlace(sequence: sequence, count: 1)), at: .checksum)
            try insertion.run()
          }
        }
      }
    }
    return bytes
  }

  /// Deletes the events with these sequences, updates the counters, and returns how many were present.
  func delete(_ sequences: some Sequence<Int64>) throws -> Int {
    try delete(ranges(of: sequences))
  }

  /// Deletes the events in these ranges; see the other `delete`. Of a run of which only a part is in a range, the rest is
  /// stored again.
  func delete(_ ranges: [ClosedRange<Int64>]) throws -> Int {
    try countUncounted()
    var count = 0
    var bytes: Int64 = 0
    // Two statements are faster (measured) than one `DELETE … RETURNING`, which SQLite runs in two passes.
    let sums = try RowStatement(
      "SELECT total(ifnull(events, 1)), total(bytes) FROM event WHERE sequence BETWEEN ? AND ?", in: self)
    let deletion = try RowStatement("DELETE FROM event WHERE sequence BETWEEN ? AND ?", in: self)
    for range in ranges {
      let runBefore = try storedRun(across: range.lowerBound)
      let runAfter = range.upperBound < .max ? try storedRun(across: range.upperBound + 1) : nil
      for statement in [sums, deletion] {
        statement.bind(range.lowerBound, at: 1)
        statement.bind(runAfter?.last ?? range.upperBound, at: 2)
      }
      try sums.forEachRow { row in
        count &+= Int(clamping: try row.wholeNumber(0))
        // Wrapping, because a damaged row can have any size. The counter then leaves its valid range, which is
        // detected.
        bytes &+= try row.wholeNumber(1)
        return true
      }
      try deletion.run()
      // Deleted first, so that the rest finds its space in a full database.
      for rest in [runBefore?.part { $0 < range.lowerBound }, runAfter?.part { $0 > range.upperBound }] {
        guard let rest else { continue }
        bytes &-= try insert(rest)
        count -= rest.events.count
      }
    }
    try add(-count, to: LedgerCounter.pending)
    try add(0 &- bytes, to: LedgerCounter.pendingBytes)
    return count
  }
}

/// Combines numbers into ranges without gaps.
func ranges(of numbers: some Sequence<Int64>) -> [ClosedRange<Int64>] {
  var ranges: [ClosedRange<Int64>] = []
  for number in numbers.sorted() { ranges.join(number...number) }
  return ranges
}

extension [ClosedRange<Int64>] {
  /// Appends a range that does not end before the last one; as a part of that one if no number is between them.
  mutating func join(_ range: ClosedRange<Int64>) {
    // Not `lowerBound - 1`, which would overflow for a damaged row with the lowest number.
    guard let last, last.upperBound == .max || last.upperBound + 1 >= range.lowerBound else { return append(range) }
    self[count - 1] = Swift.min(last.lowerBound, range.lowerBound)...Swift.max(last.upperBound, range.upperBound)
  }
}

// MARK: - Runs

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
      INSERT INTO event(\(EventColumn.list)) VALUES(?1, x'', ?3, ?4, '', ?6, ?7, ?8, ?9, ?10)
      """, in: self)
    insertion.bind(last, at: .sequence)
    insertion.bind(run.oldestTime, at: .time)
    insertion.bind(storedAt, at: .storedAt)
    insertion.bind(Int64(run.bodyBytes), at: .bytes)
    insertion.bind(Int64(attempts), at: .attempts)
    insertion.bind(Int64(run.count), at: .events)
    try run.blob.withUnsafeBytes { blob in
      insertion.bind(blob, at: .body)
      insertion.bind(BodyChecksum.of(blob, at: RowPlace(sequence: last, count: Int64(run.count))), at: .checksum)
      try insertion.run()
    }
  }

  /// Inserts events of a former run in their places. Returns the bytes of their bodies.
  func insert(_ part: StoredRun) throws -> Int64 {
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
      SELECT \(EventColumn.list) FROM event
      WHERE sequence = (SELECT min(sequence) FROM event WHERE sequence >= ?1) AND sequence - events < ?1 - 1
      """, in: self)
    selection.bind(sequence, at: 1)
    var found: StoredRun?
    try selection.forEachRow { row in
      var events = try row.waitingEvents()
      if events[0].isDamaged {
        // The counters include the row's bytes, so that its events must count for as many.
        events[0] = events[0].lost(bytes: Int(clamping: try row.integer(.bytes)))
      } else {
        events = try events.markedIfUnreadable()
      }
      found = StoredRun(events: events, storedAt: try row.integer(.storedAt))
      return false
    }
    return found
  }

  /// Corrects rows whose sequence or number of events is not the one that they were written with, and whose events are
  /// whole.
  ///
  /// A wrong number is replaced. The events of a row with a wrong sequence go to the end of the queue, because their place
  /// is unknown.
  func repairPlaces() throws {
    var wrongCounts: [RowPlace] = []
    var misplaced: [(sequence: Int64, storedAt: Int64, events: [TrackingData])] = []
    let rows = try RowStatement("SELECT \(EventColumn.list) FROM event", in: self)
    try rows.forEachRow { row in
      guard let checksum = try? row.integer(.checksum), let events = try? row.waitingEvents(),
        !events.contains(where: \.isDamaged)
      else { return true }
      let place = RowPlace(sequence: try row.integer(.sequence), count: Int64(events.count))
      if !place.fits(checksum) {
        misplaced.append((place.sequence, try row.integer(.storedAt), try events.markedIfUnreadable()))
      } else if row.claimedCount ?? 1 != place.count {
        wrongCounts.append(place)
      }
      return true
    }
    for row in wrongCounts {
      try run("UPDATE event SET events = nullif(?, 1) WHERE sequence = ?", [row.count, row.sequence])
    }
    // All of them first, so that no other count includes them.
    for row in misplaced { try run("DELETE FROM event WHERE sequence = ?", [row.sequence]) }
    for row in misplaced {
      _ = try insert(EventRun.packed(row.events), storedAt: row.storedAt)
      try add(-row.events.count, to: LedgerCounter.pending)
      try add(-row.events.reduce(0) { $0 + $1.bodyCount }, to: LedgerCounter.pendingBytes)
    }
  }
}
