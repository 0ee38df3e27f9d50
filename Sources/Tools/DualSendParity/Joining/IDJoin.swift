import DualSendCommandLine

/// Pairs the first old line and the first new line of each id, by a hash join with partitions that fit into memory.
///
/// Keeps only the first old line of each id in memory, so that an id may have any number of lines. A partition with too
/// many ids for the memory takes several passes.
struct IDJoin: LineJoin {
  private static let maximumParts = 2048
  private static let bufferBytes = 16 << 20
  /// The number of partitions for lines that one pass leaves to the next.
  private static let laterParts = 16

  /// How the lines of both streams are divided.
  struct Plan {
    fileprivate let partCount: Int
    fileprivate let partitionBytes: Int

    /// - Parameters:
    ///   - expectedBytes: the size of both streams. An estimate that is too small costs extra passes.
    ///   - partitionBytes: the approximate size of the lines in one partition.
    init(expectedBytes: Int, partitionBytes: Int) {
      partCount = min(max(expectedBytes / partitionBytes, 1), IDJoin.maximumParts)
      self.partitionBytes = partitionBytes
    }

    /// A collector of one stream's lines.
    func lines() -> PartitionedLines {
      PartitionedLines(.modulo(partCount), bufferBytes: min(IDJoin.bufferBytes, partitionBytes))
    }
  }

  private let plan: Plan
  private let old: PartitionedLines
  private let new: PartitionedLines

  init(_ plan: Plan, old: PartitionedLines, new: PartitionedLines) {
    (self.plan, self.old, self.new) = (plan, old, new)
  }

  func forEachMatch(in share: WorkShare, _ body: (LineMatch) throws -> Void) throws {
    let memory = Memory()
    for part in stride(from: share.number, to: plan.partCount, by: share.count) {
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
        guard slot.isTaken || kept.byteCount < 2 * plan.partitionBytes && later == nil else {
          if later == nil { later = PartitionedLines(.bits(depth), bufferBytes: Self.laterParts << 16) }
          try later?.append(record)
          return
        }
        switch kept.take(record, at: slot) {
        case .first: break
        case .repeated(let isOther): try body(.duplicate(record, isOther: isOther))
        case .partner(let old): try body(.pair(old: old, new: record))
        case .unpaired: try body(.unpaired(record))
        }
      }
    }
    try kept.forEachWaiting { try body(.unpaired($0)) }
    kept.removeAll()
    guard let later else { return }
    for part in 0..<Self.laterParts { try match(part, of: [later], memory, depth: depth + 1, body) }
  }
}

// MARK: - Partitioned lines

/// Lines in partitions by key, each in input order. Spills to a temporary file.
struct PartitionedLines: LineCollector, Sendable {
  /// How the partition of a key is chosen.
  enum Partitioning: Sendable {
    case modulo(Int)
    /// By four bits of the key that no pass of a smaller depth, from 1, has used.
    case bits(Int)

    fileprivate var count: Int {
      switch self {
      case .modulo(let count): count
      case .bits: 16
      }
    }

    fileprivate func part(of key: TextHash) -> Int {
      switch self {
      case .modulo(let count): Int(key.high % UInt64(count))
      case .bits(let depth): Int(truncatingIfNeeded: key.low >> UInt64(64 - 4 * min(depth, 8))) % count
      }
    }
  }

  private let partitioning: Partitioning
  private let blockBytes: Int
  /// One block for each partition.
  private var buffers: [UInt8]
  /// The number of bytes used in each block.
  private var used: [Int]
  private var blocks: [[SpillFile.Block]]
  private var file: SpillFile?

  /// - Parameter bufferBytes: the number of bytes of all partitions in memory.
  init(_ partitioning: Partitioning, bufferBytes: Int) {
    self.partitioning = partitioning
    let count = partitioning.count
    blockBytes = max(bufferBytes / count, 4096)
    buffers = [UInt8](repeating: 0, count: count * blockBytes)
    used = [Int](repeating: 0, count: count)
    blocks = [[SpillFile.Block]](repeating: [], count: count)
  }

  /// - Throws: ``ParityError`` if the temporary folder cannot hold the lines.
  mutating func append(_ record: LineRecord) throws {
    let part = partitioning.part(of: record.header.key)
    if used[part] + record.byteCount > blockBytes {
      try flush(part)
      guard record.byteCount <= blockBytes else { return try spill(long: record, of: part) }
    }
    let start = part * blockBytes + used[part]
    buffers.withUnsafeMutableBytes { record.write(to: UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
    used[part] += record.byteCount
  }

  consuming func ended() -> PartitionedLines { self }

  /// Calls `body` with each record of a partition. Several threads may read different partitions concurrently.
  ///
  /// - Parameter scratch: a buffer for blocks. A record is valid until `body` returns.
  func forEach(in part: Int, scratch: ByteArena, _ body: (LineRecord) throws -> Void) throws {
    for block in blocks[part] {
      scratch.removeAll()
      try file?.read(block, into: scratch)
      try LineRecord.forEach(in: scratch.bytes, body)
    }
    try withWaiting(part) { try LineRecord.forEach(in: $0, body) }
  }

  private func withWaiting<Result>(_ part: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try buffers.withUnsafeBytes {
      try body(UnsafeRawBufferPointer(rebasing: $0[(part * blockBytes)..<(part * blockBytes + used[part])]))
    }
  }

  private mutating func flush(_ part: Int) throws {
    if used[part] == 0 { return }
    let file = try spillFile()
    blocks[part].append(try withWaiting(part, file.append))
    used[part] = 0
  }

  private mutating func spill(long record: LineRecord, of part: Int) throws {
    var bytes: [UInt8] = []
    record.write(to: &bytes)
    let file = try spillFile()
    blocks[part].append(try bytes.withUnsafeBytes(file.append))
  }

  private mutating func spillFile() throws -> SpillFile {
    if let file { return file }
    let new = try SpillFile()
    file = new
    return new
  }
}

// MARK: - Kept lines

/// The ids of one partition, and the old lines without a new line yet.
///
/// A hash table with open addressing, at most half full.
final class KeptLines {
  /// The slot of an id in the table, whether taken or free.
  struct Slot {
    fileprivate let index: Int
    let isTaken: Bool
  }

  /// The role of a line among the lines with its id.
  enum Place {
    /// The first old line.
    case first
    /// The first new line of an id without an old line.
    case unpaired
    /// The first new line, with the old line of the id, valid until the next line is taken.
    case partner(LineRecord)
    /// Another line of a side that already has one, and whether its name or payload is another one.
    case repeated(isOther: Bool)
  }

  private struct Entry {
    let key: TextHash
    /// The offset of the old line; -1 if there is none.
    let start: Int
    var hasNew: Bool
    /// The content of the first new line.
    var newContent: UInt64
  }

  private let old = ByteArena(capacity: 1 << 20)
  private var entries: [Entry] = []
  /// Indices of ``entries``; -1 for a free slot.
  private var slots = [Int32](repeating: -1, count: 1 << 10)

  /// The approximate memory in bytes.
  var byteCount: Int { old.count + entries.count * MemoryLayout<Entry>.stride }

  func slot(of key: TextHash) -> Slot {
    var index = Int(truncatingIfNeeded: key.low) & (slots.count - 1)
    while slots[index] >= 0 {
      if entries[Int(slots[index])].key == key { return Slot(index: index, isTaken: true) }
      index = (index + 1) & (slots.count - 1)
    }
    return Slot(index: index, isTaken: false)
  }

  func take(_ record: LineRecord, at slot: Slot) -> Place {
    let isNew = record.header.side == .new
    guard slot.isTaken else {
      slots[slot.index] = Int32(truncatingIfNeeded: entries.count)
      entries.append(
        Entry(
          key: record.header.key, start: isNew ? -1 : old.count, hasNew: isNew,
          newContent: isNew ? record.content : 0))
      if !isNew { record.write(to: old) }
      if 2 * entries.count > slots.count { grow() }
      return isNew ? .unpaired : .first
    }
    let entry = Int(slots[slot.index])
    let start = entries[entry].start
    let partner = start < 0 ? nil : LineRecord(in: old.bytes, at: start)
    if isNew, !entries[entry].hasNew, let partner {
      (entries[entry].hasNew, entries[entry].newContent) = (true, record.content)
      return .partner(partner)
    }
    let first = isNew ? entries[entry].newContent : partner?.content
    return .repeated(isOther: first != record.content)
  }

  /// Calls `body` with each old line without a new line.
  func forEachWaiting(_ body: (LineRecord) throws -> Void) rethrows {
    for entry in entries where !entry.hasNew {
      if let record = LineRecord(in: old.bytes, at: entry.start) { try body(record) }
    }
  }

  func removeAll() {
    old.removeAll()
    entries.removeAll(keepingCapacity: true)
    for index in slots.indices { slots[index] = -1 }
  }

  private func grow() {
    slots = [Int32](repeating: -1, count: 2 * slots.count)
    for (position, entry) in entries.enumerated() {
      slots[slot(of: entry.key).index] = Int32(truncatingIfNeeded: position)
    }
  }
}
