#if os(Linux)
  /// A request's body that reports when it is read, which the client does after connecting.
  struct WatchedBody: RandomAccessCollection, Sendable {
    let bytes: [UInt8]
    let isTaken: @Sendable () -> Void

    var startIndex: Int { bytes.startIndex }
    var endIndex: Int { bytes.endIndex }

    subscript(position: Int) -> UInt8 { bytes[position] }

    /// The client reads whole buffers, never single bytes.
    func withContiguousStorageIfAvailable<Result>(
      _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
      isTaken()
      return try bytes.withContiguousStorageIfAvailable(body)
    }
  }
#endif
