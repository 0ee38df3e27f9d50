/// Pairs the first old line and the first new line of each id: a hash join in parts that fit into memory.
///
/// Within a part, only the first old line of each id is kept; every other line is matched as it is read. So one id may have
/// any number of lines. A part with more ids than memory has room for goes through in several passes.
final class IDJoin: LineJoin {
  private static let maximumParts = 2048
  private static let bufferBytes = 32 << 20
  /// For the lines that one pass leaves to the next.
  private static let laterParts = 16

  private let lines: PartitionedLines
  private let keptBytes: Int

  /// - Parameters:
  ///   - expectedBytes: the size of both streams; a wrong one costs passes.
  ///   - partitionBytes: about how many bytes of lines one part may hold.
  init(expectedBytes: Int, partitionBytes: Int) {
    let count = min(max(expectedBytes / partitionBytes, 1), Self.maximumParts)
    lines = PartitionedLines(partCount: count, bufferBytes: min(Self.bufferBytes, 2 * partitionBytes)) {
      Int($0.high % UInt64(count))
    }
    keptBytes = 2 * partitionBytes
  }

  func add(_ record: LineRecord) throws {
    try lines.append(record)
  }

  func forEachMatch(_ body: (LineMatch) throws -> Void) throws {
    try match(lines, KeptLines(), depth: 1, body)
  }

  private func match(
    _ lines: PartitionedLines, _ kept: KeptLines, depth: Int, _ body: (LineMatch) throws -> Void
  ) throws {
    var later: PartitionedLines?
    try lines.forEachPart(scratch: ByteArena(capacity: 1 << 16)) { record in
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
    } end: {
      try kept.forEachWaiting { try body(.alone($0)) }
      kept.removeAll()
      if let rest = later { try match(rest, kept, depth: depth + 1, body) }
      later = nil
    }
  }

  /// Parts by bits of the key that neither the first parts nor an earlier pass went by.
  private static func laterLines(depth: Int) -> PartitionedLines {
    PartitionedLines(partCount: laterParts, bufferBytes: laterParts << 16) { key in
      Int(truncatingIfNeeded: key.low >> UInt64(64 - 4 * min(depth, 8))) % laterParts
    }
  }
}
