import DualSendJSONLines

/// Pairs the first old line and the first new line of each id: a hash join in parts that fit into memory.
///
/// Within a part, only the first old line of each id is kept; every other line is matched as it is read. So one id may have
/// any number of lines. A part with more ids than memory has room for goes through in several passes.
///
/// `@unchecked Sendable`: a side's lines are only added by one thread; matching begins when `onThreads` has ended all adding,
/// and then a part belongs to one share. The compiler does not see that shares are disjoint, and a lock a line would be taken
/// tens of millions of times.
final class IDJoin: LineJoin, @unchecked Sendable {
  private static let maximumParts = 2048
  private static let bufferBytes = 16 << 20
  /// For the lines that one pass leaves to the next.
  private static let laterParts = 16

  private let partCount: Int
  private let old: PartitionedLines
  private let new: PartitionedLines
  private let keptBytes: Int

  /// - Parameters:
  ///   - expectedBytes: the size of both streams; a wrong one costs passes.
  ///   - partitionBytes: about how many bytes of lines one part may hold.
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

  /// What a thread takes once and uses again for each part.
  private struct Memory {
    let kept = KeptLines()
    let scratch = ByteArena(capacity: 1 << 16)
  }

  /// Matches one part: all its old lines come before its new ones.
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

  /// Parts by bits of the key that neither the first parts nor an earlier pass went by.
  private static func laterLines(depth: Int) -> PartitionedLines {
    PartitionedLines(partCount: laterParts, bufferBytes: laterParts << 16) { key in
      Int(truncatingIfNeeded: key.low >> UInt64(64 - 4 * min(depth, 8))) % laterParts
    }
  }
}
