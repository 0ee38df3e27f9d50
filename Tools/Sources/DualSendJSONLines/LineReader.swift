package import Foundation

/// Reads a text file line by line in bounded memory; a packed one (gzip, zstd) as what it holds.
package struct LineReader: Sequence, IteratorProtocol {
  /// One line without its line feed (or carriage return and line feed).
  package struct Line: Sendable {
    /// Counted from 1.
    package let number: Int
    package let bytes: [UInt8]
    /// Whether the line was longer than the limit, so that `bytes` is only its start.
    package let isCut: Bool
  }

  private var file: TextFile
  private let maximumLineBytes: Int
  private var buffer: [UInt8] = []
  private var position = 0
  private var number = 0

  /// How many bytes have been taken from the file so far, packed as they are.
  package var bytesRead: Int { file.bytesRead }
  /// Why reading ended before the end of the file, if it did.
  package private(set) var failure: (any Error)?

  /// Opens the file.
  ///
  /// - Parameter maximumLineBytes: what lies beyond in one line is skipped.
  package init(_ file: URL, maximumLineBytes: Int = 16 << 20) throws {
    self.init(try FileHandle(forReadingFrom: file), maximumLineBytes: maximumLineBytes)
  }

  package init(_ handle: FileHandle, maximumLineBytes: Int = 16 << 20) {
    file = TextFile(handle)
    self.maximumLineBytes = maximumLineBytes
  }

  package mutating func next() -> Line? {
    var next: Line?
    _ = withNext { bytes, number, isCut in next = Line(number: number, bytes: Array(bytes), isCut: isCut) }
    return next
  }

  /// Calls `body` with each line that is left: its bytes, which may not be used afterwards, its number, and whether it is
  /// cut. Copies only lines that lie across two chunks.
  package mutating func forEachLine(_ body: (UnsafeBufferPointer<UInt8>, Int, Bool) throws -> Void) rethrows {
    while try withNext(body) {}
  }

  /// Calls `body` with the next line as ``forEachLine(_:)`` does; `false` if there is none.
  package mutating func withNext(_ body: (UnsafeBufferPointer<UInt8>, Int, Bool) throws -> Void) rethrows -> Bool {
    var carried: [UInt8] = []
    var length = 0
    while true {
      let end = buffer.firstLineFeed(from: position)
      let part = position..<(end ?? buffer.count)
      position = end.map { $0 + 1 } ?? buffer.count
      if end != nil, length == 0 {
        number += 1
        try buffer.withUnsafeBufferPointer { try hand($0[part], length: part.count, to: body) }
        return true
      }
      // One byte more than a line may have: it may be the carriage return.
      carried.append(contentsOf: buffer[part].prefix(maximumLineBytes + 1 - carried.count))
      length += part.count
      if end != nil || !refill() { break }
    }
    guard length > 0 else { return false }
    number += 1
    try carried.withUnsafeBufferPointer { try hand($0[...], length: length, to: body) }
    return true
  }

  /// - Parameter length: of the line in the file, line end included as far as it is a carriage return.
  private func hand(
    _ bytes: Slice<UnsafeBufferPointer<UInt8>>, length: Int,
    to body: (UnsafeBufferPointer<UInt8>, Int, Bool) throws -> Void
  ) rethrows {
    let endsInReturn = bytes.count == length && bytes.last == UInt8(ascii: "\r")
    let lineLength = endsInReturn ? length - 1 : length
    let line = bytes.prefix(lineLength).prefix(maximumLineBytes)
    try body(UnsafeBufferPointer(rebasing: line), number, lineLength > maximumLineBytes)
  }

  private mutating func refill() -> Bool {
    position = 0
    buffer = []
    do {
      buffer = try file.next()
      return !buffer.isEmpty
    } catch {
      failure = error
      return false
    }
  }
}

extension [UInt8] {
  fileprivate func firstLineFeed(from start: Int) -> Int? {
    withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress else { return nil }
      return memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start).map { UnsafeRawPointer($0) - base }
    }
  }
}
