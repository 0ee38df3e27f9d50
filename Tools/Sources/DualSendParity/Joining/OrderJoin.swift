import DualSendCore

/// Pairs lines of one name and unit in the order of their times: a merge join, so that one name may have any number of
/// lines.
///
/// One share merges; where there are more, it hands what it finds to them in turn, so that which share compares what does
/// not depend on their speed.
///
/// `@unchecked Sendable`: a side's lines are only added by one thread; one share merges, when `onThreads` has ended all
/// adding. The compiler does not see that the two sides are disjoint, and a lock would be taken for each of their lines.
final class OrderJoin: LineJoin, @unchecked Sendable {
  private static let maximumBatchBytes = 1 << 20

  private let old: SortedLines
  private let new: SortedLines
  private let window: Int64?
  /// How many bytes of matches go from one share to another at once.
  private let batchBytes: Int
  /// One for each share but the first.
  private let queues = Locked<[MatchQueue]>([])

  /// - Parameters:
  ///   - window: the most milliseconds between the two lines of a pair; `nil` for any number.
  ///   - chunkBytes: how many bytes of each stream are sorted in memory.
  init(window: Int64?, chunkBytes: Int) {
    self.window = window
    batchBytes = min(chunkBytes, Self.maximumBatchBytes)
    old = SortedLines(chunkBytes: chunkBytes)
    new = SortedLines(chunkBytes: chunkBytes)
  }

  func add(_ record: LineRecord) throws {
    try (record.header.side == .old ? old : new).append(record)
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
    let (old, new) = (try old.sorted(), try new.sorted())
    var (left, right) = (try old.next(), try new.next())
    while left != nil || right != nil {
      switch Self.order(left?.header, right?.header, window: window) {
      case .oldFirst:
        if let left { try body(.alone(left)) }
        left = try old.next()
      case .newFirst:
        if let right { try body(.alone(right)) }
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

  /// Which of the two next lines has no partner; both together are a pair.
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
