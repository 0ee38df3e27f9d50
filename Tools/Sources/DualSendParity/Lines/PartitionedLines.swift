/// Lines, parted by key, in the order in which they came. What does not fit into memory waits in a file.
final class PartitionedLines {
  private let partCount: Int
  private let blockBytes: Int
  private let part: (JoinKey) -> Int
  private let buffers: [ByteArena]
  private var blocks: [[SpillFile.Block]]
  private var file: SpillFile?

  /// - Parameters:
  ///   - partCount: at least 1.
  ///   - bufferBytes: how many bytes of all parts may wait in memory.
  ///   - part: which part a key is in, below `partCount`.
  init(partCount: Int, bufferBytes: Int, part: @escaping (JoinKey) -> Int) {
    self.partCount = partCount
    self.part = part
    let blockBytes = max(bufferBytes / partCount, 4096)
    self.blockBytes = blockBytes
    buffers = (0..<partCount).map { _ in ByteArena(capacity: blockBytes) }
    blocks = [[SpillFile.Block]](repeating: [], count: partCount)
  }

  /// - Throws: ``ParityError`` if the disk cannot take the lines.
  func append(_ record: LineRecord) throws {
    let part = part(record.header.key)
    let buffer = buffers[part]
    if buffer.count > 0, buffer.count + record.byteCount > blockBytes {
      let file = try self.file ?? SpillFile()
      self.file = file
      blocks[part].append(try file.append(buffer.bytes))
      buffer.removeAll()
    }
    record.write(to: buffer)
  }

  /// Calls `body` with each record of each part, one part after the other, and `end` after each part.
  ///
  /// - Parameter scratch: memory for a block; a record is valid until `body` returns.
  func forEachPart(
    scratch: ByteArena, _ body: (LineRecord) throws -> Void, end: () throws -> Void
  ) throws {
    for part in 0..<partCount {
      for block in blocks[part] {
        scratch.removeAll()
        try file?.read(block, into: scratch)
        try LineRecord.forEach(in: scratch.bytes, body)
      }
      try LineRecord.forEach(in: buffers[part].bytes, body)
      try end()
    }
  }
}
