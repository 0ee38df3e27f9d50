package import Foundation

/// Reads a text file line by line in bounded memory.
package struct LineReader: Sequence, IteratorProtocol {
  /// One line without its line feed (or carriage return and line feed).
  package struct Line: Sendable {
    /// Counted from 1.
    package let number: Int
    package let bytes: [UInt8]
    /// Whether the line was longer than the limit, so that `bytes` is only its start.
    package let isCut: Bool
  }

  private static let chunkSize = 256 << 10
  private let handle: FileHandle
  private let maximumLineBytes: Int
  private var buffer: [UInt8] = []
  private var position = 0
  private var number = 0

  /// How many bytes have been taken from the file so far.
  package private(set) var bytesRead = 0
  /// Why reading ended before the end of the file, if it did.
  package private(set) var failure: (any Error)?

  /// Opens the file.
  ///
  /// - Parameter maximumLineBytes: what lies beyond in one line is skipped.
  package init(_ file: URL, maximumLineBytes: Int = 16 << 20) throws {
    self.init(try FileHandle(forReadingFrom: file), maximumLineBytes: maximumLineBytes)
  }

  package init(_ handle: FileHandle, maximumLineBytes: Int = 16 << 20) {
    self.handle = handle
    self.maximumLineBytes = maximumLineBytes
  }

  package mutating func next() -> Line? {
    var line: [UInt8] = []
    var length = 0
    while true {
      let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n"))
      let part = buffer[position..<(end ?? buffer.count)]
      // One byte more than a line may have: it may be the carriage return.
      line.append(contentsOf: part.prefix(maximumLineBytes + 1 - line.count))
      length += part.count
      if let end {
        position = end + 1
        break
      }
      if !refill() {
        if length == 0 { return nil }
        break
      }
    }
    if line.count == length, line.last == UInt8(ascii: "\r") {
      line.removeLast()
      length -= 1
    }
    let isCut = length > maximumLineBytes
    if isCut { line.removeLast(line.count - maximumLineBytes) }
    number += 1
    return Line(number: number, bytes: line, isCut: isCut)
  }

  private mutating func refill() -> Bool {
    buffer.removeAll(keepingCapacity: true)
    position = 0
    do {
      guard let data = try handle.read(upToCount: Self.chunkSize), !data.isEmpty else { return false }
      buffer.append(contentsOf: data)
      bytesRead += data.count
      return true
    } catch {
      failure = error
      return false
    }
  }
}
