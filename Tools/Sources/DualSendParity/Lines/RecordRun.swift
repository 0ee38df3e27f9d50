/// Sorted records, read one after the other from memory or from a file.
final class RecordRun {
  private enum Source {
    /// Where the records start.
    case memory(ArraySlice<Int>)
    case file(SpillFile, ArraySlice<SpillFile.Block>)
  }

  private let arena: ByteArena
  private var source: Source
  private var position = 0
  private let bufferBytes: Int

  /// Records that lie in memory.
  init(_ arena: ByteArena, at starts: [Int]) {
    self.arena = arena
    source = .memory(starts[...])
    bufferBytes = 0
  }

  /// Records in blocks of a file, of which so many bytes are read at a time.
  init(_ blocks: [SpillFile.Block], of file: SpillFile, bufferBytes: Int) {
    arena = ByteArena(capacity: bufferBytes)
    source = .file(file, blocks[...])
    self.bufferBytes = bufferBytes
  }

  /// The next record, valid until the one after it is asked for; `nil` at the end.
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
