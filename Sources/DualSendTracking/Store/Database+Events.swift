import DualSendCore
import GRDB

/// Inserts and deletes rows of the event table, and updates the counters of pending events.
extension Database {
  /// Inserts events at the end of the queue and counts them as pending. The caller updates the rest of the ledger.
  /// Counts the events that ``insertUncounted(_:storedAt:)`` left first.
  ///
  /// - Parameter waiting: the oldest pending sequence, to insert the events before it instead. Its predecessors are
  ///   free if the events were there before; if there are too few, the events go to the end.
  /// - Returns: the sequence of the first event; the others follow it.
  @discardableResult
  func insert(_ events: [TrackingData], storedAt: Int64, before waiting: Int64? = nil) throws -> Int64 {
    try countUncounted()
    let last = try count(LedgerCounter.lastSequence)
    let place = waiting.flatMap { $0 > Int64(events.count) ? $0 - Int64(events.count) - 1 : nil }
    let start = place ?? last
    let bytes = try insertRows(events, after: start, storedAt: storedAt)
    if place == nil { try add(events.count, to: LedgerCounter.lastSequence) }
    try add(events.count, to: LedgerCounter.pending)
    try add(bytes, to: LedgerCounter.pendingBytes)
    return start + 1
  }

  /// Inserts events at the end of the queue without a change of the ledger, so that the transaction writes only the
  /// page of the events. See ``UncountedEvents``.
  ///
  /// - Returns: the sequence of the first event; `nil` if there would be too many uncounted events.
  func insertUncounted(_ events: [TrackingData], storedAt: Int64) throws -> Int64? {
    let uncounted = try uncounted()
    guard uncounted.count + events.count <= UncountedEvents.limit else { return nil }
    _ = try insertRows(events, after: uncounted.newest, storedAt: storedAt)
    return uncounted.newest + 1
  }

  /// Inserts rows with consecutive sequences. Returns the bytes of their bodies.
  private func insertRows(_ events: [TrackingData], after start: Int64, storedAt: Int64) throws -> Int {
    var sequence = start
    var bytes = 0
    let insertion = try RowStatement(
      """
      INSERT INTO event(sequence, id, time, storedAt, name, bytes, attempts, body, checksum)
      VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, in: self)
    insertion.bind(storedAt, at: 4)
    for event in events {
      sequence += 1
      bytes += event.body.count
      insertion.bind(sequence, at: 1)
      insertion.bind(event.time, at: 3)
      insertion.bind(Int64(event.body.count), at: 6)
      insertion.bind(Int64(event.attempts), at: 7)
      var name = event.name
      try event.id.withBlob { id in
        try name.withUTF8 { name in
          try event.body.withUnsafeBytes { body in
            insertion.bind(id, at: 2)
            insertion.bind(text: name, at: 5)
            insertion.bind(body, at: 8)
            insertion.bind(BodyChecksum.of(body), at: 9)
            try insertion.run()
          }
        }
      }
    }
    return bytes
  }

  /// Deletes the events with these sequences, updates the counters, and returns how many were present.
  func delete(_ sequences: some Sequence<Int64>) throws -> Int {
    try countUncounted()
    var count = 0
    var bytes = 0
    // Two statements are faster (measured) than one `DELETE … RETURNING`, which SQLite runs in two passes.
    let sums = try RowStatement("SELECT count(*), total(bytes) FROM event WHERE sequence BETWEEN ? AND ?", in: self)
    let deletion = try runDeletion()
    for run in runs(of: sequences) {
      for statement in [sums, deletion] {
        statement.bind(run.lowerBound, at: 1)
        statement.bind(run.upperBound, at: 2)
      }
      try sums.forEachRow { row in
        count += Int(try row.integer(0))
        // Wrapping, because a damaged row can have any size. The counter then leaves its valid range, which is
        // detected.
        bytes &+= Int(try row.wholeNumber(1))
        return true
      }
      try deletion.run()
    }
    try add(-count, to: LedgerCounter.pending)
    try add(0 &- bytes, to: LedgerCounter.pendingBytes)
    return count
  }

  /// Deletes consecutive events that this process stored, and updates the counters without reading their sizes.
  ///
  /// - Throws: a damaged-database error if one of them is missing.
  func deleteRun(_ events: [TrackingData]) throws -> Int {
    guard let first = events.first, let last = events.last else { return 0 }
    try countUncounted()
    let deletion = try runDeletion()
    deletion.bind(first.sequence, at: 1)
    deletion.bind(last.sequence, at: 2)
    try deletion.run()
    guard changesCount == events.count else { throw LedgerCounter.disorder }
    try add(-events.count, to: LedgerCounter.pending)
    try add(-events.reduce(0) { $0 + $1.body.count }, to: LedgerCounter.pendingBytes)
    return events.count
  }

  private func runDeletion() throws -> RowStatement {
    try RowStatement("DELETE FROM event WHERE sequence BETWEEN ? AND ?", in: self)
  }
}

/// Combines numbers into ranges without gaps.
private func runs(of numbers: some Sequence<Int64>) -> [ClosedRange<Int64>] {
  var runs: [ClosedRange<Int64>] = []
  for number in numbers.sorted() {
    // Not `number - 1`, which would overflow for a damaged row with the lowest number.
    if let last = runs.last, last.upperBound == number || last.upperBound + 1 == number {
      runs[runs.count - 1] = last.lowerBound...number
    } else {
      runs.append(number...number)
    }
  }
  return runs
}
