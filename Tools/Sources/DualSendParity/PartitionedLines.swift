import Foundation

/// Which of the two streams a line is from.
enum StreamSide: UInt8, BitwiseCopyable {
  case old, new
}

/// What joining needs to know of a line.
struct LineHeader: BitwiseCopyable {
  let key: JoinKey
  let side: StreamSide
  /// Milliseconds since 1970.
  let time: Int64
  /// From 1.
  let line: Int
  var length = 0
  var places = EventLine.Places()
}

/// The lines of both streams, parted by key so that each part fits into memory; what does not fit goes to files.
///
/// Lines of one key are always in one part. The files lie in a folder that only this user can read and are removed with
/// this object.
final class PartitionedLines {
  /// One part, read back.
  struct Partition {
    let bytes: Data
    /// Each line's header and where its text starts.
    let lines: [(header: LineHeader, start: Int)]
  }

  private static let maximumPartitions = 2048
  /// How many bytes of all parts wait in memory before they are written.
  private static let bufferBytes = 32 << 20

  private let folder: URL
  private var buffers: [[UInt8]]
  /// Which parts have a file. It is open only while it is written: a process may not have as many open files as there are
  /// parts.
  private var isSpilled: [Bool]
  private let flushBytes: Int

  /// - Parameters:
  ///   - expectedBytes: the size of both streams.
  ///   - partitionBytes: about how many bytes of lines one part may hold.
  init(expectedBytes: Int, partitionBytes: Int) {
    let count = min(max(expectedBytes / partitionBytes, 1), Self.maximumPartitions)
    buffers = [[UInt8]](repeating: [], count: count)
    isSpilled = [Bool](repeating: false, count: count)
    // A single part is small by definition and never leaves memory unless the size was not known.
    flushBytes = count == 1 ? 2 * partitionBytes : min(Self.bufferBytes, 4 * partitionBytes) / count
    folder = FileManager.default.temporaryDirectory.appending(path: "dualsend-parity-" + UUID().uuidString)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  func append(_ line: EventLine, _ header: LineHeader) throws {
    var header = header
    header.length = line.bytes.count
    header.places = line.places
    let part = Int(header.key.high % UInt64(buffers.count))
    withUnsafeBytes(of: header) { buffers[part].append(contentsOf: $0) }
    buffers[part].append(contentsOf: line.bytes)
    if buffers[part].count >= flushBytes { try flush(part) }
  }

  /// Calls `body` with one part after the other.
  func forEachPartition(_ body: (Partition) throws -> Void) throws {
    for part in buffers.indices {
      try body(Self.parse(try takePartition(part)))
    }
  }

  private func takePartition(_ part: Int) throws -> Data {
    defer { buffers[part] = [] }
    guard isSpilled[part] else { return Data(buffers[part]) }
    try flush(part)
    let bytes = try Data(contentsOf: url(part))
    try FileManager.default.removeItem(at: url(part))
    isSpilled[part] = false
    return bytes
  }

  private func flush(_ part: Int) throws {
    if !isSpilled[part] { try createFile(part) }
    let file = try FileHandle(forWritingTo: url(part))
    defer { try? file.close() }
    try file.seekToEnd()
    try buffers[part].withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      // The file has taken the bytes before this returns, so nothing outlives the buffer.
      let data = Data(
        bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count, deallocator: .none)
      try file.write(contentsOf: data)
    }
    buffers[part].removeAll(keepingCapacity: true)
  }

  private func createFile(_ part: Int) throws {
    let manager = FileManager.default
    try manager.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    guard manager.createFile(atPath: url(part).path, contents: nil) else { throw CocoaError(.fileWriteUnknown) }
    isSpilled[part] = true
  }

  private func url(_ part: Int) -> URL {
    folder.appending(path: "\(part)")
  }

  private static func parse(_ bytes: Data) -> Partition {
    var lines: [(header: LineHeader, start: Int)] = []
    bytes.withUnsafeBytes { raw in
      var position = 0
      while position + MemoryLayout<LineHeader>.size <= raw.count {
        let header = raw.loadUnaligned(fromByteOffset: position, as: LineHeader.self)
        position += MemoryLayout<LineHeader>.size
        lines.append((header, position))
        position += header.length
      }
    }
    return Partition(bytes: bytes, lines: lines)
  }
}
