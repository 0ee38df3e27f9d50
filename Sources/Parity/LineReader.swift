import Foundation

/// Reads a file line by line, holding one chunk and one line at a time.
struct LineReader {
  /// The longest line read, in bytes; of a longer one nothing but its length matters, for it is malformed.
  static let maximumLineBytes = 16 << 20

  private static let chunkBytes = 1 << 20
  private let file: URL

  init(_ file: URL) {
    self.file = file
  }

  /// Calls `body` with each line that is not empty and its number from 1; `nil` stands for a line that is too long.
  func forEachLine(_ body: (UnsafeBufferPointer<UInt8>?, Int) throws -> Void) throws {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    var carried: [UInt8] = []
    var number = 0
    var isTooLong = false

    func emit(_ rest: UnsafeBufferPointer<UInt8>) throws {
      number += 1
      defer {
        carried.removeAll(keepingCapacity: true)
        isTooLong = false
      }
      if isTooLong { return try body(nil, number) }
      if carried.isEmpty { return try call(body, rest, number) }
      carried.append(contentsOf: rest)
      try carried.withUnsafeBufferPointer { try call(body, $0, number) }
    }

    while let chunk = try handle.read(upToCount: Self.chunkBytes), !chunk.isEmpty {
      try chunk.withUnsafeBytes { raw in
        var rest = raw.bindMemory(to: UInt8.self)
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          try emit(UnsafeBufferPointer(rebasing: rest[..<end]))
          rest = UnsafeBufferPointer(rebasing: rest[(end + 1)...])
        }
        isTooLong = isTooLong || carried.count + rest.count > Self.maximumLineBytes
        if isTooLong { carried.removeAll() } else { carried.append(contentsOf: rest) }
      }
    }
    if !carried.isEmpty || isTooLong { try emit(UnsafeBufferPointer(start: nil, count: 0)) }
  }

  private func call(
    _ body: (UnsafeBufferPointer<UInt8>?, Int) throws -> Void, _ line: UnsafeBufferPointer<UInt8>, _ number: Int
  ) throws {
    if line.contains(where: { $0 > 0x20 }) { try body(line, number) }
  }
}
