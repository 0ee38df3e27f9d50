import DualSendCore

/// Pairs lines with the same key in the order of their times, by a merge join, so that a key may have any number of lines.
///
/// The first share merges and passes the matches to the other shares in turn, so that the result does not depend on the
/// speed of threads.
///
/// `@unchecked Sendable`: only one thread adds the lines of a side, and only the first share merges, when `onThreads` has
/// ended all adding. A lock would be taken for each line.
final class OrderJoin: LineJoin, @unchecked Sendable {
  private static let maximumBatchBytes = 1 << 20

  private let old: SortedLines
  private let new: SortedLines
  private let window: Int64?
  /// The size of a batch of matches, in bytes.
  private let batchBytes: Int
  /// One for each share except the first.
  private let queues = Locked<[MatchQueue]>([])

  /// - Parameters:
  ///   - window: the longest time between the two lines of a pair, in milliseconds; `nil` for no limit.
  ///   - chunkBytes: the number of bytes of each stream that are sorted in memory.
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
