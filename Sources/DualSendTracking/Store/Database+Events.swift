import DualSendCore
import GRDB

/// Rows into the event table and out of it, with the counters of what waits.
extension Database {
  /// Inserts events behind those that wait and counts them as pending; the rest of the ledger is the caller's.
  ///
  /// - Parameter waiting: the oldest waiting event, to insert them right before it instead. Their sequences are free if
  ///   they once waited before it; where there are not so many, the events go behind all others.
  /// - Returns: the first one's sequence; the others follow it.
  @discardableResult
  func insert(_ events: [TrackingData], storedAt: Int64, before waiting: Int64? = nil) throws -> Int64 {
    let last = try count(LedgerCounter.lastSequence)
    let place = waiting.flatMap { $0 > Int64(events.count) ? $0 - Int64(events.count) - 1 : nil }
    let start = place ?? last
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
    if place == nil { try add(events.count, to: LedgerCounter.lastSequence) }
    try add(events.count, to: LedgerCounter.pending)
    try add(bytes, to: LedgerCounter.pendingBytes)
    return start + 1
  }

  /// Deletes the events with exactly these sequences, counts them off, and returns how many were there.
  func delete(_ sequences: some Sequence<Int64>) throws -> Int {
    var count = 0
    var bytes = 0
    // Measured: asking first and deleting then is faster than one `DELETE … RETURNING`, which SQLite runs in two passes.
    let sums = try RowStatement("SELECT count(*), total(bytes) FROM event WHERE sequence BETWEEN ? AND ?", in: self)
    let deletion = try runDeletion()
    for run in runs(of: sequences) {
      for statement in [sums, deletion] {
        statement.bind(run.lowerBound, at: 1)
        statement.bind(run.upperBound, at: 2)
      }
      try sums.forEachRow { row in
        count += Int(try row.integer(0))
        // Wraps, because a damaged row can say any size; the counter then leaves its range, and that is noticed.
        bytes &+= Int(try row.wholeNumber(1))
        return true
      }
      try deletion.run()
    }
    try add(-count, to: LedgerCounter.pending)
    try add(0 &- bytes, to: LedgerCounter.pendingBytes)
    return count
  }

  /// Deletes events that follow each other and that this process stored and did not delete, and counts them off: no row
  /// has to be asked for its size.
  ///
  /// - Throws: a damaged-database error if one of them is not there.
  func deleteRun(_ events: [TrackingData]) throws -> Int {
    guard let first = events.first, let last = events.last else { return 0 }
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

/// The numbers as ranges of neighbours: every number of a range is one of them.
private func runs(of numbers: some Sequence<Int64>) -> [ClosedRange<Int64>] {
  var runs: [ClosedRange<Int64>] = []
  for number in numbers.sorted() {
    // Not `number - 1`: a damaged row may have the lowest of all numbers.
    if let last = runs.last, last.upperBound == number || last.upperBound + 1 == number {
      runs[runs.count - 1] = last.lowerBound...number
    } else {
      runs.append(number...number)
    }
  }
  return runs
}
