import DualSendCommandLine
import DualSendCore

/// Joins lines with the same key by a merge join, so that a key may have any number of lines.
///
/// The result depends on the numbers of the lines, not on the order in which they are added. The first share merges and
/// passes the matches to the other shares in turn, so that the result does not depend on the speed of threads.
struct SortedJoin: LineJoin {
  private let old: SortedLines.Runs
  private let new: SortedLines.Runs
  private let join: JoinRule
  /// The size of a batch of matches, in bytes.
  private let batchBytes: Int
  /// One for each share except the first.
  private let queues = Locked<[MatchQueue]>([])

  init(_ join: JoinRule, old: SortedLines.Runs, new: SortedLines.Runs, batchBytes: Int) {
    (self.join, self.old, self.new) = (join, old, new)
    self.batchBytes = min(batchBytes, 1 << 20)
  }

  func forEachMatch(in share: WorkShare, _ body: (LineMatch) throws -> Void) throws {
    guard share.count > 1 else { return try merge(body) }
    let queues = queues.withLock { queues in
      if queues.isEmpty { queues = (1..<share.count).map { _ in MatchQueue() } }
      return queues
    }
    if share.number > 0 { return try queues[share.number - 1].forEach { try $0.forEach(body) } }
    defer { for queue in queues { queue.close() } }
    var batch = MatchBatch(bytes: batchBytes)
    var turn = 0
    try merge { match in
      batch.append(match)
      if batch.isFull {
        batch = queues[turn].exchange(batch) ?? MatchBatch(bytes: batchBytes)
        turn = (turn + 1) % queues.count
      }
    }
    if !batch.isEmpty { _ = queues[turn].exchange(batch) }
  }

  private func merge(_ body: (LineMatch) throws -> Void) throws {
    switch join {
    case .eventID: try mergeIDs(old.merged(), new.merged(), body)
    case .order(_, let window): try mergeInOrder(old.merged(), new.merged(), window: window, body)
    }
  }

  // MARK: - By id

  /// Pairs the first lines of each key.
  private func mergeIDs(_ old: RecordMerge, _ new: RecordMerge, _ body: (LineMatch) throws -> Void) throws {
    var (left, right) = (try old.next(), try new.next())
    let (oldBytes, newBytes) = (ByteArena(capacity: 1 << 16), ByteArena(capacity: 1 << 16))
    while true {
      switch (left, right) {
      case (let first?, let second?) where first.header.key == second.header.key:
        let oldRepeats = try Self.repeats(of: first, in: old, keptIn: oldBytes, body)
        let newRepeats = try Self.repeats(of: second, in: new, keptIn: newBytes, body)
        if let first = LineRecord(in: oldBytes.bytes, at: 0), let second = LineRecord(in: newBytes.bytes, at: 0) {
          try body(
            .pair(old: first, new: second, isAmbiguous: oldRepeats.isAmbiguous || newRepeats.isAmbiguous))
        }
        (left, right) = (oldRepeats.next, newRepeats.next)
      case (let first?, let second) where second.map({ first.header.key < $0.header.key }) ?? true:
        try body(.unpaired(first))
        left = try Self.repeats(of: first, in: old, keptIn: oldBytes, body).next
      case (_, let second?):
        try body(.unpaired(second))
        right = try Self.repeats(of: second, in: new, keptIn: newBytes, body).next
      default: return
      }
    }
  }

  /// Passes over the other lines of a key, and keeps a copy of the first, which the next line makes invalid.
  ///
  /// - Returns: the first line of the next key, and whether the key's lines say different things.
  private static func repeats(
    of first: LineRecord, in lines: RecordMerge, keptIn copy: ByteArena, _ body: (LineMatch) throws -> Void
  ) throws -> (next: LineRecord?, isAmbiguous: Bool) {
    let (key, content) = (first.header.key, first.content)
    copy.removeAll()
    first.write(to: copy)
    var isAmbiguous = false
    while let record = try lines.next() {
      guard record.header.key == key else { return (record, isAmbiguous) }
      let isOther = record.content != content
      isAmbiguous = isAmbiguous || isOther && !record.isBroken
      try body(.duplicate(record, isOther: isOther))
    }
    return (nil, isAmbiguous)
  }

  // MARK: - By order

  /// Pairs lines with the same key in the order of their times.
  private func mergeInOrder(
    _ old: RecordMerge, _ new: RecordMerge, window: Int64?, _ body: (LineMatch) throws -> Void
  ) throws {
    var (left, right) = (try old.next(), try new.next())
    while left != nil || right != nil {
      switch Self.order(left?.header, right?.header, window: window) {
      case .oldFirst:
        if let left { try body(.unpaired(left)) }
        left = try old.next()
      case .newFirst:
        if let right { try body(.unpaired(right)) }
        right = try new.next()
      case .together:
        if let left, let right { try body(.pair(old: left, new: right)) }
        (left, right) = (try old.next(), try new.next())
      }
    }
  }

  private enum Order {
    case oldFirst, newFirst, together
  }

  /// Whether the two next lines are a pair, or which of them comes first and has no partner.
  private static func order(_ old: LineHeader?, _ new: LineHeader?, window: Int64?) -> Order {
    guard let old else { return .newFirst }
    guard let new else { return .oldFirst }
    if old.key != new.key { return old.key < new.key ? .oldFirst : .newFirst }
    guard let window else { return .together }
    let distance = new.time.subtractingSaturating(old.time)
    return distance < -window ? .newFirst : distance > window ? .oldFirst : .together
  }
}

extension Int64 {
  fileprivate func subtractingSaturating(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }
}
