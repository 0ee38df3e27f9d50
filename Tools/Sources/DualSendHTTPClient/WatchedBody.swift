#if os(Linux)
  import NIOCore

  /// A request's body in one part that reports when it is read, which the client does after connecting.
  struct WatchedBody: AsyncSequence, Sendable {
    let bytes: [UInt8]
    let isTaken: @Sendable () -> Void

    struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var body: WatchedBody?

      mutating func next() async -> ByteBuffer? {
        guard let body = body.take() else { return nil }
        body.isTaken()
        return ByteBuffer(bytes: body.bytes)
      }
    }

    func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(body: self)
    }
  }
#endif
