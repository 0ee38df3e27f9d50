/// Sorts the lines of one stream by key, time and line number.
///
/// An external merge sort (Knuth, The Art of Computer Programming, volume 3, §5.4): sorts chunks in memory, writes them as
/// runs, and merges the runs while reading.
final class SortedLines {
  /// The memory of the merge for all runs.
  private static let mergeBytes = 24 << 20
  private static let blockBytes = 256 << 10

  let chunkBytes: Int
  private let chunk: ByteArena
  private var places: [(header: LineHeader, start: Int)] = []
  private var file: SpillFile?
  private var runs: [[SpillFile.Block]] = []

  /// - Parameter chunkBytes: the number of bytes of lines that are sorted in memory.
  init(chunkBytes: Int) {
    self.chunkBytes = chunkBytes
    chunk = ByteArena(capacity: chunkBytes)
  }

  /// - Throws: ``ParityError`` if the temporary folder cannot hold the lines.
  func append(_ record: LineRecord) throws {
    if chunk.count > 0, chunk.count + record.byteCount > chunkBytes { try writeRun() }
    places.append((record.header, chunk.count))
    record.write(to: chunk)
  }

  /// The sorted lines. No line may be appended afterwards; the lines may be read again.
  func sorted() throws -> RecordMerge {
    places.sort { Self.isBefore($0.header, $1.header) }
    guard let file else { return RecordMerge([RecordRun(chunk, at: places.map(\.start))]) }
    if !places.isEmpty {
      try writeRun()
      chunk.release()
    }
    let bufferBytes = max(min(Self.mergeBytes / runs.count, Self.blockBytes), 4096)
    return RecordMerge(runs.map { RecordRun($0, of: file, bufferBytes: bufferBytes) })
  }

  static func isBefore(_ left: LineHeader, _ right: LineHeader) -> Bool {
    if left.key != right.key { return left.key < right.key }
    return (left.time, left.line) < (right.time, right.line)
  }

  private func writeRun() throws {
    places.sort { Self.isBefore($0.header, $1.header) }
    let file = try self.file ?? SpillFile()
    self.file = file
    let block = ByteArena(capacity: Self.blockBytes)
    var blocks: [SpillFile.Block] = []
    for (_, start) in places {
      guard let record = LineRecord(in: chunk.bytes, at: start) else { continue }
      record.write(to: block)
      if block.count >= Self.blockBytes {
        blocks.append(try file.append(block.bytes))
        block.removeAll()
      }
    }
    if block.count > 0 { blocks.append(try file.append(block.bytes)) }
    runs.append(blocks)
    places.removeAll(keepingCapacity: true)
    chunk.removeAll()
  }
}
