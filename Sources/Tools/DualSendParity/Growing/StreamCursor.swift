import DualSendCommandLine
import DualSendCore
import Foundation

/// How far a file of a stream was read.
///
/// The file is found again by what it begins with, under any name. One that was truncated or replaced is not found.
struct StreamCursor: Sendable, Hashable {
  /// The bytes at each end of what was read that tell a file from others.
  private static let window: Int64 = 4_096

  var path: String
  let side: StreamSide
  /// The bytes that were read.
  let size: Int64
  /// The lines that were read.
  let lines: Int
  /// The identity of the first and the last of these bytes.
  let ends: String
  /// When the file was last written, in milliseconds since 1970-01-01T00:00:00Z.
  let written: Int64
  /// Whether the file at the path is the one that was read, compressed since.
  var isPackedSince = false

  init(of file: URL, side: StreamSide, size: Int64, lines: Int, in handle: FileHandle) throws {
    guard let ends = try Self.ends(of: size, in: handle) else {
      throw ParityError(reason: "\(file.path) became shorter while it was read")
    }
    (path, self.side, self.size, self.lines, self.ends) = (file.path, side, size, lines, ends)
    written = try Self.written(file) ?? TimeSource.system.wallMilliseconds()
  }

  func isOf(_ other: StreamCursor) -> Bool { side == other.side && path == other.path }

  /// Whether a file has all that was read, and perhaps more at its end.
  func isStart(of file: URL) throws -> Bool {
    // Another process may have moved it away since it was listed.
    guard let opened = try OpenedFile.ifAny(file.path) else { return false }
    return try Self.ends(of: size, in: opened.handle) == ends
  }

  /// Whether a compressed file unpacks to all that was read, and perhaps more.
  func isStart(ofPacked file: URL) throws -> Bool {
    guard let opened = try OpenedFile.ifAny(file.path) else { return false }
    var text = TextFile(opened.handle, keepsByteOrderMark: true)
    var (first, last, count) = (Data(), Data(), 0)
    while count < Int(size), case let bytes = try text.next(), text.isPacked, !bytes.isEmpty {
      let read = bytes.prefix(Int(size) - count)
      first += read.prefix(Int(Self.window) - first.count)
      last = Data((last + read).suffix(Int(Self.window)))
      count += read.count
    }
    return count == Int(size) && FNV1a.hexadecimal(first + last) == ends
  }

  /// In milliseconds since 1970-01-01T00:00:00Z; `nil` if another process moved the file away.
  static func written(_ file: URL) throws -> Int64? { try OpenedFile.ifAny(file.path)?.modified }

  /// The hash of the first and the last bytes of a file's first `size` bytes; `nil` if it has fewer.
  private static func ends(of size: Int64, in handle: FileHandle) throws -> String? {
    var ends = Data()
    for offset in [0, max(0, size - window)] {
      try handle.seek(toOffset: UInt64(offset))
      let wanted = Int(min(window, size - offset))
      let bytes = wanted > 0 ? try handle.read(upToCount: wanted) ?? Data() : Data()
      guard bytes.count == wanted else { return nil }
      ends += bytes
    }
    return FNV1a.hexadecimal(ends)
  }
}

extension StreamCursor {
  var json: EventValue {
    [
      "path": .string(path), "side": .int(Int64(side.rawValue)), "size": .int(size), "lines": .int(Int64(lines)),
      "ends": .string(ends), "written": .int(written),
    ]
  }

  /// - Throws: for anything but what ``json`` makes.
  init(_ cursor: PartialReader) throws {
    let side = StreamSide(rawValue: UInt8(clamping: try cursor.member("side").integer()))
    (size, written) = (try cursor.member("size").integer(), try cursor.member("written").integer())
    guard let side, size >= 0 else { throw PartialReader.Damage() }
    (self.side, lines) = (side, Int(try cursor.member("lines").integer()))
    (path, ends) = (try cursor.member("path").text(), try cursor.member("ends").text())
  }
}
