/// Sorts the lines of one stream by key, time and line number.
///
/// An external merge sort (Knuth, The Art of Computer Programming, volume 3, §5.4): sorts chunks in memory, writes them as
/// runs, and merges the runs while reading.
struct SortedLines: LineCollector {
  /// The sorted lines of one stream. They may be read again, and by several threads.
  struct Runs: Sendable {
    /// The memory of a merge for all runs.
    private static let mergeBytes = 24 << 20

    /// Lines in memory, and the offset of each in order; empty if the runs are in a file.
    fileprivate let chunk: [UInt8]
    fileprivate let starts: [Int]
    fileprivate let file: SpillFile?
    fileprivate let blocks: [[SpillFile.Block]]

    /// The lines in order.
    func merged() -> RecordMerge {
      guard let file else { return RecordMerge([RecordRun(chunk, at: starts)]) }
      let bufferBytes = max(min(Self.mergeBytes / blocks.count, SortedLines.blockBytes), 4096)
      return RecordMerge(blocks.map { RecordRun($0, of: file, bufferBytes: bufferBytes) })
    }
  }

  private static let blockBytes = 256 << 10

  private let chunkBytes: Int
  private var chunk: [UInt8] = []
  private var places: [(header: LineHeader, start: Int)] = []
  private var file: SpillFile?
  private var runs: [[SpillFile.Block]] = []

  /// - Parameter chunkBytes: the number of bytes of lines that are sorted in memory.
  init(chunkBytes: Int) {
    self.chunkBytes = chunkBytes
    chunk.reserveCapacity(chunkBytes)
  }

  /// - Throws: ``ParityError`` if the temporary folder cannot hold the lines.
  mutating func append(_ record: LineRecord) throws {
    if !chunk.isEmpty, chunk.count + record.byteCount > chunkBytes { try writeRun() }
    places.append((record.header, chunk.count))
    record.write(to: &chunk)
  }

  /// - Throws: ``ParityError`` if the temporary folder cannot hold the lines.
  consuming func ended() throws -> Runs {
    if file != nil, !places.isEmpty { try writeRun() }
    places.sort { Self.isBefore($0.header, $1.header) }
    return Runs(chunk: file == nil ? chunk : [], starts: places.map(\.start), file: file, blocks: runs)
  }

  static func isBefore(_ left: LineHeader, _ right: LineHeader) -> Bool {
    if left.key != right.key { return left.key < right.key }
    return (left.time, left.line) < (right.time, right.line)
  }

  private mutating func writeRun() throws {
    places.sort { Self.isBefore($0.header, $1.header) }
    let file = try self.file ?? SpillFile()
    self.file = file
    let block = ByteArena(capacity: Self.blockBytes)
    var blocks: [SpillFile.Block] = []
    try chunk.withUnsafeBytes { bytes in
      for (_, start) in places {
        guard let record = LineRecord(in: bytes, at: start) else { continue }
        record.write(to: block)
        if block.count >= Self.blockBytes {
          blocks.append(try file.append(block.bytes))
          block.removeAll()
        }
      }
    }
    if block.count > 0 { blocks.append(try file.append(block.bytes)) }
    runs.append(blocks)
    places.removeAll(keepingCapacity: true)
    chunk.removeAll(keepingCapacity: true)
  }
}

// MARK: - Record merge

/// Merges sorted runs into one sorted sequence.
final class RecordMerge {
  private typealias Head = (record: LineRecord, run: RecordRun)

  /// The next record of each run, as a binary heap.
  private var heads: [Head] = []
  private var waiting: [RecordRun]
  /// The run of the last record returned. It advances with the next call, so that the record stays valid until then.
  private var current: RecordRun?

  init(_ runs: [RecordRun]) {
    waiting = runs
  }

  /// The next record, valid until the next call; `nil` at the end.
  func next() throws -> LineRecord? {
    for run in waiting { try add(run) }
    waiting.removeAll()
    if let current { try add(current) }
    current = nil
    guard let first = heads.first, let last = heads.popLast() else { return nil }
    if !heads.isEmpty {
      heads[0] = last
      sink()
    }
    current = first.run
    return first.record
  }

  private func add(_ run: RecordRun) throws {
    guard let record = try run.next() else { return }
    heads.append((record, run))
    var child = heads.count - 1
    while child > 0, isBefore(child, (child - 1) / 2) {
      heads.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private func sink() {
    var parent = 0
    while 2 * parent + 1 < heads.count {
      var child = 2 * parent + 1
      if child + 1 < heads.count, isBefore(child + 1, child) { child += 1 }
      guard isBefore(child, parent) else { return }
      heads.swapAt(child, parent)
      parent = child
    }
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    SortedLines.isBefore(heads[left].record.header, heads[right].record.header)
  }
}

// MARK: - Record run

/// A sorted run of records in memory or in a file.
final class RecordRun {
  private enum Source {
    /// Lines, and the offsets of the records.
    case memory([UInt8], ArraySlice<Int>)
    case file(SpillFile, ArraySlice<SpillFile.Block>)
  }

  private let arena: ByteArena
  private var source: Source
  private var position = 0
  private let bufferBytes: Int

  /// Creates a run of records in memory.
  init(_ chunk: [UInt8], at starts: [Int]) {
    arena = ByteArena(capacity: 4096)
    source = .memory(chunk, starts[...])
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
    case .memory(let chunk, var starts):
      guard let start = starts.popFirst() else { return nil }
      source = .memory(chunk, starts)
      arena.removeAll()
      chunk.withUnsafeBytes { LineRecord(in: $0, at: start)?.write(to: arena) }
      return LineRecord(in: arena.bytes, at: 0)
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
