package import Foundation

/// Appends lines to a text file through a buffer.
///
/// A file that it makes is readable by its owner alone: the lines are events.
///
/// Nothing is lost as long as ``flush()`` is called before the last reference goes; a line is never split between two
/// buffers that are written apart.
package struct JSONLinesFile: Sendable {
  private static let bufferSize = 256 << 10
  private let handle: FileHandle
  private var buffer: [UInt8] = []

  /// Opens the file, or creates it, and goes to its end; a last line that was cut off is closed first.
  package init(appendingTo file: URL) throws {
    let manager = FileManager.default
    try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    if !manager.fileExists(atPath: file.path),
      !manager.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
    {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
    }
    handle = try FileHandle(forUpdating: file)
    let size = try handle.seekToEnd()
    if size > 0 {
      try handle.seek(toOffset: size - 1)
      if try handle.read(upToCount: 1)?.first != UInt8(ascii: "\n") { buffer.append(UInt8(ascii: "\n")) }
    }
  }

  /// Adds a line; `line` has no line feed of its own.
  package mutating func append(_ line: some Sequence<UInt8>) throws {
    buffer.append(contentsOf: line)
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Hands everything to the operating system.
  package mutating func flush() throws {
    guard !buffer.isEmpty else { return }
    try handle.write(contentsOf: buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Flushes and closes the file.
  package mutating func close() throws {
    try flush()
    try handle.close()
  }
}
