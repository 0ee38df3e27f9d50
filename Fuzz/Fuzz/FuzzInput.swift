/// What libFuzzer made up: parts with a zero byte between them, which no JSON text and no header holds.
struct FuzzInput {
  static let separator: UInt8 = 0

  let bytes: [UInt8]
  let parts: [[UInt8]]

  init(_ buffer: UnsafeBufferPointer<UInt8>) {
    bytes = Array(buffer)
    parts = bytes.split(separator: Self.separator, omittingEmptySubsequences: false).map { Array($0) }
  }

  /// A part; empty if there are fewer.
  func part(_ index: Int) -> [UInt8] {
    parts.indices.contains(index) ? parts[index] : []
  }

  func text(_ index: Int) -> String {
    String(decoding: part(index), as: UTF8.self)
  }
}

/// Reads small numbers and stretches from the front of bytes; zeros when they are used up.
struct ByteCursor {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 {
    rest.popFirst() ?? 0
  }

  mutating func integer() -> Int64 {
    (0..<8).reduce(0) { number, _ in number << 8 | Int64(byte()) }
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    let taken = Array(rest.prefix(count))
    rest = rest.dropFirst(count)
    return taken
  }
}
