import DualSendCore
package import Foundation

/// Appends lines to a text file through a buffer.
///
/// A new file is readable by its owner only, because the lines are events.
///
/// Call ``flush()`` before releasing it, so that no lines are lost. A line is never split between two writes.
package struct JSONLinesFile: Sendable {
  private static let bufferSize = 256 << 10
  private let handle: FileHandle
  private var buffer: [UInt8] = []

  /// Opens or creates the file and goes to its end. Ends an incomplete last line first.
  package init(appendingTo file: URL) throws {
    handle = try PrivateFile.openOrCreate(file)
    let size = try handle.seekToEnd()
    if size > 0 {
      try handle.seek(toOffset: size - 1)
      if try handle.read(upToCount: 1)?.first != UInt8(ascii: "\n") { buffer.append(UInt8(ascii: "\n")) }
    }
  }

  /// Adds a line; `line` has no line feed.
  package mutating func append(_ line: some Sequence<UInt8>) throws {
    buffer.append(contentsOf: line)
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Writes the buffer to the file.
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
