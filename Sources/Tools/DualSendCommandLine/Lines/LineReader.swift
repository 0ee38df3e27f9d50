package import Foundation

/// Reads a text file line by line in bounded memory. Decompresses gzip and zstd.
package struct LineReader: Sequence, IteratorProtocol {
  /// One line without its line break.
  package struct Line: Sendable {
    /// The number, from 1.
    package let number: Int
    package let bytes: [UInt8]
    /// Whether the line exceeded the limit, so that `bytes` is only its start.
    package let isCut: Bool

    package init(number: Int, bytes: [UInt8], isCut: Bool) {
      (self.number, self.bytes, self.isCut) = (number, bytes, isCut)
    }
  }

  private var file: TextFile
  private let maximumLineBytes: Int
  private var buffer: [UInt8] = []
  private var position = 0
  private var number = 0
  /// The number of the last line read.
  package var linesRead: Int { number }

  /// The bytes read from the file so far, before decompression.
  package var bytesRead: Int { file.bytesRead }
  /// The error that ended reading early, if any.
  package private(set) var failure: (any Error)?
  /// The bytes of the last line read, if it has no line feed, so that it may still be written; otherwise 0.
  package private(set) var unfinishedBytes = 0
  package var isUnfinished: Bool { unfinishedBytes > 0 }
  /// Whether the file is compressed, so that the bytes of its lines are not those of the file.
  package var isPacked: Bool { file.isPacked }

  /// Opens the file.
  ///
  /// - Parameter maximumLineBytes: the rest of a longer line is skipped.
  package init(_ file: URL, maximumLineBytes: Int = 16 << 20) throws {
    self.init(try FileHandle(forReadingFrom: file), maximumLineBytes: maximumLineBytes)
  }

  /// Reads from where the handle is.
  ///
  /// - Parameter linesBefore: the number of lines before it.
  package init(_ handle: FileHandle, maximumLineBytes: Int = 16 << 20, linesBefore: Int = 0) {
    file = TextFile(handle)
    self.maximumLineBytes = maximumLineBytes
    number = linesBefore
  }

  package mutating func next() -> Line? {
    var next: Line?
    _ = withNext { bytes, number, isCut in next = Line(number: number, bytes: Array(bytes), isCut: isCut) }
    return next
  }

  /// Calls `body` with each remaining line: its bytes, which are valid only during the call, its number, and whether it
  /// is truncated. Copies only lines that span two chunks.
  package mutating func forEachLine(_ body: (UnsafeBufferPointer<UInt8>, Int, Bool) throws -> Void) rethrows {
    while try withNext(body) {}
  }

  /// Calls `body` with the next line like ``forEachLine(_:)``; `false` if there is none.
  package mutating func withNext(_ body: (UnsafeBufferPointer<UInt8>, Int, Bool) throws -> Void) rethrows -> Bool {
    var carried: [UInt8] = []
    var length = 0
    while true {
      let end = buffer.firstLineFeed(from: position)
      let part = position..<(end ?? buffer.count)
      position = end.map { $0 + 1 } ?? buffer.count
      if end != nil, length == 0 {
        number += 1
        unfinishedBytes = 0
        try buffer.withUnsafeBufferPointer { try deliver($0[part], length: part.count, to: body) }
        return true
      }
      // One byte more than the limit, for a carriage return.
      carried.append(contentsOf: buffer[part].prefix(maximumLineBytes + 1 - carried.count))
      length += part.count
      if end != nil {
        unfinishedBytes = 0
        break
      }
      if !refill() {
        guard length > 0 else { return false }
        unfinishedBytes = length
        break
      }
    }
    number += 1
    try carried.withUnsafeBufferPointer { try deliver($0[...], length: length, to: body) }
    return true
  }

  /// The whole text if it begins with `[` and has at most `limit` bytes; `nil` for any other. Reads no line.
  package mutating func textOfArray(limit: Int) -> [UInt8]? {
    if position == buffer.count, !refill() { return nil }
    let start = buffer[position...].first { !$0.isJSONWhitespace }
    guard start == UInt8(ascii: "[") else { return nil }
    do {
      while buffer.count - position <= limit {
        let more = try file.next()
        if more.isEmpty { return Array(buffer[position...]) }
        buffer += more
      }
    } catch { failure = error }
    return nil
  }

  /// Passes over the rest of the text.
  package mutating func skipToEnd() {
    (buffer, position) = ([], 0)
  }

  /// - Parameter length: the length of the line in the file, including a carriage return.
  private func deliver(
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
    // What failed once, such as a device, is not read on.
    if failure != nil { return false }
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
