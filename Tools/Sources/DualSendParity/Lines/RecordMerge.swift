/// Merges sorted runs into one sorted sequence.
final class RecordMerge {
  private typealias Head = (record: LineRecord, run: RecordRun)

  /// The next record of each run, as a binary heap.
  private var heads: [Head] = []
  private var waiting: [RecordRun]
  /// The run of the last record returned. It advances with the next call, so that the record stays valid until then.
  private var current: RecordRun?

  init(_ runs: [RecordRun]) {
    waiting = runs
  }

  /// The next record, valid until the next call; `nil` at the end.
  func next() throws -> LineRecord? {
    for run in waiting { try add(run) }
    waiting.removeAll()
    if let current { try add(current) }
    current = nil
    guard let first = heads.first, let last = heads.popLast() else { return nil }
    if !heads.isEmpty {
      heads[0] = last
      sink()
    }
    current = first.run
    return first.record
  }

  private func add(_ run: RecordRun) throws {
    guard let record = try run.next() else { return }
    heads.append((record, run))
    var child = heads.count - 1
    while child > 0, isBefore(child, (child - 1) / 2) {
      heads.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private func sink() {
    var parent = 0
    while 2 * parent + 1 < heads.count {
      var child = 2 * parent + 1
      if child + 1 < heads.count, isBefore(child + 1, child) { child += 1 }
      guard isBefore(child, parent) else { return }
      heads.swapAt(child, parent)
      parent = child
    }
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    SortedLines.isBefore(heads[left].record.header, heads[right].record.header)
  }
}
