import DualSendCommandLine

/// Pairs one old line and one new line of each id, by a hash join with partitions that fit into memory.
///
/// Which lines of an id are paired depends on what they say, not on their order. A partition is held in memory up to twice the size
/// that it is meant to have. A larger one is read from its file for each look, and keeps only one old line of each id, so that an
/// id may have any number of lines; with too many ids for the memory, it takes several passes.
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
    // Reused for each partition.
    var kept = KeptLines()
    let lines = ByteArena(capacity: 1 << 16)
    for part in stride(from: share.number, to: plan.partCount, by: share.count) {
      try match(part, of: [old, new], &kept, lines, depth: 1, body)
    }
  }

  /// Matches one partition. Its old lines are read before its new lines.
  ///
  /// - Parameters:
  ///   - kept: empty.
  ///   - lines: a buffer.
  private func match(
    _ part: Int, of stores: [PartitionedLines], _ kept: inout KeptLines, _ lines: ByteArena, depth: Int,
    _ body: (LineMatch) throws -> Void
  ) throws {
    let limit = 2 * plan.partitionBytes
    // All lines of an id are in one partition, so that it may be of any size.
    let isHeld = stores.reduce(0) { $0 + $1.byteCount(of: part) } <= limit
    lines.removeAll()
    if isHeld { for store in stores { try store.read(part, into: lines) } }
    func forEachLine(_ body: (LineRecord) throws -> Void) throws {
      if isHeld { return try LineRecord.forEach(in: lines.bytes, body) }
      for store in stores { try store.forEach(in: part, scratch: lines, body) }
    }
    // Where each line that is held was noted, so that it is looked up once.
    var places: [Int32] = []
    var later: PartitionedLines?
    try forEachLine { record in
      let place = kept.note(record, hasRoom: kept.byteCount < limit && later == nil)
      if isHeld { places.append(place ?? -1) }
      if place != nil { return }
      if later == nil { later = PartitionedLines(.bits(depth), bufferBytes: Self.laterParts << 16) }
      try later?.append(record)
    }
    if kept.hasRepeats { try forEachLine { kept.rank($0) } }
    var next = 0
    try forEachLine { record in
      let place = isHeld ? places[next] : kept.place(of: record) ?? -1
      next += 1
      if place < 0 { return }
      switch kept.take(record, at: place) {
      case .first: break
      case .repeated(let isOther): try body(.duplicate(record, isOther: isOther))
      case .partner(let old, let isAmbiguous): try body(.pair(old: old, new: record, isAmbiguous: isAmbiguous))
      case .unpaired: try body(.unpaired(record))
      }
    }
    try kept.forEachWaiting { try body(.unpaired($0)) }
    kept.removeAll()
    guard let later else { return }
    for part in 0..<Self.laterParts { try match(part, of: [later], &kept, lines, depth: depth + 1, body) }
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

  /// The size of a partition's records.
  func byteCount(of part: Int) -> Int { blocks[part].reduce(used[part]) { $0 + $1.count } }

  /// Adds the records of a partition to an arena.
  func read(_ part: Int, into arena: ByteArena) throws {
    for block in blocks[part] { try file?.read(block, into: arena) }
    withWaiting(part) { rest in arena.append(rest.count) { $0.copyMemory(from: rest) } }
  }

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
/// Each line is noted first, then taken. A hash table with open addressing, at most half full.
struct KeptLines {
  /// The role of a line among the lines with its id.
  enum Role {
    /// The old line that is compared.
    case first
    /// The new line of an id without an old line.
    case unpaired
    /// The new line that is compared, with the old line of the id, valid until the next line is taken.
    case partner(LineRecord, isAmbiguous: Bool)
    /// Another line of a side that has one that is compared, and whether its name or payload is another one.
    case repeated(isOther: Bool)
  }

  /// What is known of an id's lines of one side.
  private struct Side {
    var isNoted = false
    var isTaken = false
    /// The index in ``KeptLines/choices``, if there are several lines.
    var choice: Int32 = -1
  }

  private struct Entry {
    let key: TextHash
    /// The offset of the old line; -1 if there is none.
    var start = -1
    private var old = Side()
    private var new = Side()

    init(key: TextHash) { self.key = key }

    subscript(side: StreamSide) -> Side {
      get { side == .old ? old : new }
      set { if side == .old { old = newValue } else { new = newValue } }
    }
  }

  /// The line of several that is compared: that of the smallest ``LineRecord/rank``.
  private struct Choice {
    var rank = Int64.max
    var content: UInt64?
    /// Whether another one has another content.
    var isAmbiguous = false

    mutating func add(_ record: LineRecord) {
      let (rank, content) = (record.rank, record.content)
      isAmbiguous = isAmbiguous || !record.isBroken && self.content.map { $0 != content } ?? false
      if rank < self.rank { (self.rank, self.content) = (rank, record.isBroken ? self.content : content) }
    }
  }

  private let old = ByteArena(capacity: 1 << 20)
  private var entries: [Entry] = []
  private var choices: [Choice] = []
  /// Indices of ``entries``; -1 for a free slot.
  private var slots = [Int32](repeating: -1, count: 1 << 10)
  /// Of the old lines that were noted.
  private var oldBytes = 0

  /// The approximate memory in bytes, once all lines are taken.
  var byteCount: Int {
    oldBytes + entries.count * MemoryLayout<Entry>.stride + choices.count * MemoryLayout<Choice>.stride
  }

  /// Whether an id has several lines of a side, which ``rank(_:)`` then needs.
  var hasRepeats: Bool { !choices.isEmpty }

  /// - Parameter hasRoom: whether the line may bring a new id.
  /// - Returns: the place of its id; `nil` if it is none of those that are kept.
  mutating func note(_ record: LineRecord, hasRoom: Bool) -> Int32? {
    let slot = slot(of: record.header.key)
    var entry = Int(slots[slot])
    if entry < 0 {
      guard hasRoom else { return nil }
      entry = entries.count
      slots[slot] = Int32(truncatingIfNeeded: entry)
      entries.append(Entry(key: record.header.key))
      if 2 * entries.count > slots.count { grow() }
    }
    let side = record.header.side
    if !entries[entry][side].isNoted {
      entries[entry][side].isNoted = true
      if side == .old { oldBytes += record.byteCount }
    } else if entries[entry][side].choice < 0 {
      entries[entry][side].choice = Int32(truncatingIfNeeded: choices.count)
      choices.append(Choice())
    }
    return Int32(truncatingIfNeeded: entry)
  }

  /// The place of a line's id; `nil` if it is not kept.
  func place(of record: LineRecord) -> Int32? {
    let entry = slots[slot(of: record.header.key)]
    return entry < 0 ? nil : entry
  }

  /// Compares a noted line with the others of its id and side.
  mutating func rank(_ record: LineRecord) {
    let choice = place(of: record).map { Int(entries[Int($0)][record.header.side].choice) } ?? -1
    if choice >= 0 { choices[choice].add(record) }
  }

  /// Takes a line, the old ones first.
  ///
  /// - Parameter place: that of its id.
  mutating func take(_ record: LineRecord, at place: Int32) -> Role {
    let entry = Int(place)
    let known = entries[entry][record.header.side]
    if known.choice >= 0 {
      let choice = choices[Int(known.choice)]
      if known.isTaken || record.rank != choice.rank { return .repeated(isOther: record.content != choice.content) }
    }
    entries[entry][record.header.side].isTaken = true
    if record.header.side == .old {
      entries[entry].start = old.count
      record.write(to: old)
      return .first
    }
    let isAmbiguous = isAmbiguous(entries[entry][.old]) || isAmbiguous(entries[entry][.new])
    guard entries[entry].start >= 0, let partner = LineRecord(in: old.bytes, at: entries[entry].start) else {
      return .unpaired
    }
    return .partner(partner, isAmbiguous: isAmbiguous)
  }

  private func isAmbiguous(_ side: Side) -> Bool { side.choice >= 0 && choices[Int(side.choice)].isAmbiguous }

  /// Calls `body` with each old line without a new line.
  func forEachWaiting(_ body: (LineRecord) throws -> Void) rethrows {
    for entry in entries where !entry[.new].isTaken {
      if let record = LineRecord(in: old.bytes, at: entry.start) { try body(record) }
    }
  }

  mutating func removeAll() {
    old.removeAll()
    oldBytes = 0
    entries.removeAll(keepingCapacity: true)
    choices.removeAll(keepingCapacity: true)
    for index in slots.indices { slots[index] = -1 }
  }

  /// The index in ``slots`` of a key, or of the free slot where it belongs.
  private func slot(of key: TextHash) -> Int {
    var index = Int(truncatingIfNeeded: key.low) & (slots.count - 1)
    while slots[index] >= 0, entries[Int(slots[index])].key != key { index = (index + 1) & (slots.count - 1) }
    return index
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: 2 * slots.count)
    for (position, entry) in entries.enumerated() { slots[slot(of: entry.key)] = Int32(truncatingIfNeeded: position) }
  }
}
