import FlyingSocks

/// The body of an answer that goes on: the parts of a stream, as they come.
struct EventStreamBody: AsyncBufferedSequence {
  typealias Element = UInt8

  let parts: AsyncStream<[UInt8]>

  func makeAsyncIterator() -> Iterator {
    Iterator(parts: parts.makeAsyncIterator())
  }

  struct Iterator: AsyncBufferedIteratorProtocol {
    fileprivate var parts: AsyncStream<[UInt8]>.Iterator
    private var rest: ArraySlice<UInt8> = []

    fileprivate init(parts: AsyncStream<[UInt8]>.Iterator) {
      self.parts = parts
    }

    mutating func next() async throws -> UInt8? {
      try await nextBuffer(suggested: 1)?.first
    }

    mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
      if rest.isEmpty {
        guard let part = await parts.next() else { return nil }
        rest = part[...]
      }
      let buffer = rest.prefix(count)
      rest = rest.dropFirst(buffer.count)
      return buffer
    }
  }
}
