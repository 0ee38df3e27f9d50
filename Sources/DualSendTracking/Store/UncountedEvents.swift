import GRDB

/// The newest events, which the ledger's table does not include yet.
///
/// A transaction that only appends a few events does not change the ledger, because that would write its page for each
/// event. The events are those right after the counter ``LedgerCounter/lastSequence``. The next transaction that changes
/// the ledger counts them first, and so does one that would leave more than ``limit`` of them.
package struct UncountedEvents {
  /// The most uncounted events. Part of the file format: later rows are damage.
  static let limit: Int64 = 64

  let count: Int64
  let bytes: Int64
  /// The newest sequence, or the ledger's if there are none.
  let newest: Int64

  /// The sequences that uncounted events may have.
  package static func sequences(after counted: Int64) -> ClosedRange<Int64> {
    let (end, overflow) = counted.addingReportingOverflow(limit)
    return overflow || counted == .max ? .max ... .max : counted + 1...end
  }
}

extension Database {
  func uncounted() throws -> UncountedEvents {
    let counted = try count(LedgerCounter.lastSequence)
    let sequences = UncountedEvents.sequences(after: counted)
    let selection = try RowStatement(
      "SELECT total(ifnull(events, 1)), total(bytes), ifnull(max(sequence), ?1 - 1) FROM event WHERE sequence BETWEEN ?1 AND ?2",
      in: self)
    selection.bind(sequences.lowerBound, at: 1)
    selection.bind(sequences.upperBound, at: 2)
    var result = UncountedEvents(count: 0, bytes: 0, newest: counted)
    try selection.forEachRow { row in
      result = UncountedEvents(
        count: try row.wholeNumber(0), bytes: try row.wholeNumber(1), newest: try row.integer(2))
      return false
    }
    return result
  }

  /// Adds the uncounted events to the ledger.
  func countUncounted() throws {
    let uncounted = try uncounted()
    guard uncounted.count > 0 else { return }
    try add(uncounted.count, to: LedgerCounter.accepted)
    try add(uncounted.count, to: LedgerCounter.pending)
    try add(uncounted.bytes, to: LedgerCounter.pendingBytes)
    try add(uncounted.newest - (try count(LedgerCounter.lastSequence)), to: LedgerCounter.lastSequence)
  }
}
