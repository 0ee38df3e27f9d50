import DualSendJSONLines

/// Lines in partitions by key, each in input order. Spills to a temporary file.
final class PartitionedLines {
  private let blockBytes: Int
  private let part: (TextHash) -> Int
  /// One block for each partition.
  private let buffers: UnsafeMutableRawBufferPointer
  /// The number of bytes used in each block.
  private var used: [Int]
  private var blocks: [[SpillFile.Block]]
  private var file: SpillFile?
  /// The buffer for a line that is longer than a block.
  private let long = ByteArena(capacity: 0)

  /// - Parameters:
  ///   - partCount: at least 1.
  ///   - bufferBytes: the number of bytes of all partitions in memory.
  ///   - part: the partition of a key, below `partCount`.
  init(partCount: Int, bufferBytes: Int, part: @escaping (TextHash) -> Int) {
    self.part = part
    blockBytes = max(bufferBytes / partCount, 4096)
    buffers = .allocate(byteCount: partCount * blockBytes, alignment: 16)
    used = [Int](repeating: 0, count: partCount)
    blocks = [[SpillFile.Block]](repeating: [], count: partCount)
  }

  deinit {
    buffers.deallocate()
  }

  /// - Throws: ``ParityError`` if the temporary folder cannot hold the lines.
  func append(_ record: LineRecord) throws {
    let part = part(record.header.key)
    if used[part] + record.byteCount > blockBytes {
      try flush(part)
      guard record.byteCount <= blockBytes else { return try spill(long: record, of: part) }
    }
    let start = part * blockBytes + used[part]
    record.write(to: UnsafeMutableRawBufferPointer(rebasing: buffers[start...]))
    used[part] += record.byteCount
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
    try LineRecord.forEach(in: waiting(part), body)
  }

  private func waiting(_ part: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffers[(part * blockBytes)..<(part * blockBytes + used[part])])
  }

  private func flush(_ part: Int) throws {
    if used[part] == 0 { return }
    blocks[part].append(try spillFile().append(waiting(part)))
    used[part] = 0
  }

  private func spill(long record: LineRecord, of part: Int) throws {
    long.removeAll()
    record.write(to: long)
    blocks[part].append(try spillFile().append(long.bytes))
  }

  private func spillFile() throws -> SpillFile {
    if let file { return file }
    let new = try SpillFile()
    file = new
    return new
  }
}
