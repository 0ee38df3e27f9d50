import DualSendJSONLines

/// Pairs the first old line and the first new line of each id, by a hash join with partitions that fit into memory.
///
/// Keeps only the first old line of each id in memory, so that an id may have any number of lines. A partition with too
/// many ids for the memory takes several passes.
///
/// `@unchecked Sendable`: only one thread adds the lines of a side. Matching starts when `onThreads` has ended all adding,
/// and each partition then belongs to one share. A lock for each line would be taken tens of millions of times.
final class IDJoin: LineJoin, @unchecked Sendable {
  private static let maximumParts = 2048
  private static let bufferBytes = 16 << 20
  /// The number of partitions for lines that one pass leaves to the next.
  private static let laterParts = 16

  private let partCount: Int
  private let old: PartitionedLines
  private let new: PartitionedLines
  private let keptBytes: Int

  /// - Parameters:
  ///   - expectedBytes: the size of both streams. An estimate that is too small costs extra passes.
  ///   - partitionBytes: the approximate size of the lines in one partition.
  init(expectedBytes: Int, partitionBytes: Int) {
    let count = min(max(expectedBytes / partitionBytes, 1), Self.maximumParts)
    func lines() -> PartitionedLines {
      PartitionedLines(partCount: count, bufferBytes: min(Self.bufferBytes, partitionBytes)) {
        Int($0.high % UInt64(count))
      }
    }
    partCount = count
    old = lines()
    new = lines()
    keptBytes = 2 * partitionBytes
  }

  func add(_ record: LineRecord) throws {
    try (record.header.side == .old ? old : new).append(record)
  }

  func forEachMatch(in share: WorkShare, _ body: (LineMatch) throws -> Void) throws {
    let memory = Memory()
    for part in stride(from: share.number, to: partCount, by: share.count) {
      try match(part, of: [old, new], memory, depth: 1, body)
    }
  }

  /// Buffers that a thread reuses for each partition.
  private struct Memory {
    let kept = KeptLines()
    let scratch = ByteArena(capacity: 1 << 16)
  }

  /// Matches one partition. Its old lines are read before its new lines.
  private func match(
    _ part: Int, of stores: [PartitionedLines], _ memory: Memory, depth: Int, _ body: (LineMatch) throws -> Void
  ) throws {
    let kept = memory.kept
    var later: PartitionedLines?
    for lines in stores {
      try lines.forEach(in: part, scratch: memory.scratch) { record in
        let slot = kept.slot(of: record.header.key)
        guard slot.isTaken || kept.byteCount < keptBytes && later == nil else {
          let lines = later ?? Self.laterLines(depth: depth)
          later = lines
          return try lines.append(record)
        }
        switch kept.take(record, at: slot) {
        case .first: break
        case .repeated: try body(.duplicate(record))
        case .partner(let old): try body(.pair(old: old, new: record))
        case .alone: try body(.alone(record))
        }
      }
    }
    try kept.forEachWaiting { try body(.alone($0)) }
    kept.removeAll()
    guard let later else { return }
    for part in 0..<Self.laterParts { try match(part, of: [later], memory, depth: depth + 1, body) }
  }

  /// Partitions by bits of the key that no earlier pass has used.
  private static func laterLines(depth: Int) -> PartitionedLines {
    PartitionedLines(partCount: laterParts, bufferBytes: laterParts << 16) { key in
      Int(truncatingIfNeeded: key.low >> UInt64(64 - 4 * min(depth, 8))) % laterParts
    }
  }
}
