import FlyingSocks

/// A body that comes a byte at a time, or breaks off.
struct UnevenBody: AsyncBufferedSequence {
  typealias Element = UInt8

  let bytes: [UInt8]
  /// The time before each byte; `nil` sends all at once.
  let pause: Duration?
  /// The byte before which the connection breaks.
  let cutAt: Int?

  func makeAsyncIterator() -> Iterator {
    Iterator(body: self)
  }

  struct Iterator: AsyncBufferedIteratorProtocol {
    fileprivate let body: UnevenBody
    private var position = 0

    fileprivate init(body: UnevenBody) {
      self.body = body
    }

    mutating func next() async throws -> UInt8? {
      try await nextBuffer(suggested: 1)?.first
    }

    mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
      if position == body.cutAt { throw SocketError.disconnected }
      let rest = body.bytes[position..<(body.cutAt ?? body.bytes.count)]
      let part = rest.prefix(body.pause == nil ? count : 1)
      if part.isEmpty { return nil }
      if let pause = body.pause { try await Task.sleep(for: pause) }
      position = part.endIndex
      return part
    }
  }
}
