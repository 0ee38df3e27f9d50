/// A sorted run of records in memory or in a file.
final class RecordRun {
  private enum Source {
    /// The offsets of the records.
    case memory(ArraySlice<Int>)
    case file(SpillFile, ArraySlice<SpillFile.Block>)
  }

  private let arena: ByteArena
  private var source: Source
  private var position = 0
  private let bufferBytes: Int

  /// Creates a run of records in memory.
  init(_ arena: ByteArena, at starts: [Int]) {
    self.arena = arena
    source = .memory(starts[...])
    bufferBytes = 0
  }

  /// Creates a run of records in blocks of a file, read in chunks of `bufferBytes`.
  init(_ blocks: [SpillFile.Block], of file: SpillFile, bufferBytes: Int) {
    arena = ByteArena(capacity: bufferBytes)
    source = .file(file, blocks[...])
    self.bufferBytes = bufferBytes
  }

  /// The next record, valid until the next call; `nil` at the end.
  func next() throws -> LineRecord? {
    switch source {
    case .memory(var starts):
      guard let start = starts.popFirst() else { return nil }
      source = .memory(starts)
      return LineRecord(in: arena.bytes, at: start)
    case .file(let file, var blocks):
      while true {
        if let record = LineRecord(in: arena.bytes, at: position) {
          position += record.byteCount
          return record
        }
        guard let block = blocks.popFirst() else { return nil }
        arena.removeFirst(position)
        position = 0
        let count = min(block.count, max(bufferBytes - arena.count, 4096))
        try file.read(block.part(0..<count), into: arena)
        if count < block.count { blocks = ArraySlice([block.part(count..<block.count)]) + blocks }
        source = .file(file, blocks)
      }
    }
  }
}
