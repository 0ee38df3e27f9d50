import DualSendCZlib

/// Decompresses gzip (RFC 1952) in chunks with bounded memory. Reads several members in a row, as `cat a.gz b.gz`
/// writes them.
package final class GzipStream {
  /// The first bytes of every member.
  package static let magic: [UInt8] = [0x1F, 0x8B]

  /// Allocated, because zlib's state points back at it.
  private let stream: UnsafeMutablePointer<z_stream>
  private var packed: [UInt8] = []
  private var position = 0
  /// Whether the input so far ends at the end of a member.
  package private(set) var isComplete = true

  /// Creates a stream without input.
  ///
  /// - Throws: ``Zlib/Failure/outOfMemory`` if zlib cannot get the memory it needs.
  package init() throws(Zlib.Failure) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard inflateInit2_(stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw .outOfMemory
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Supplies more compressed bytes. Call it only after ``next(_:)`` has returned no bytes.
  package func feed(_ bytes: [UInt8]) {
    packed = bytes
    position = 0
  }

  /// The next decompressed bytes, at most `limit`. Empty when more input is needed or the file has ended.
  package func next(_ limit: Int) throws(Zlib.Failure) -> [UInt8] {
    while true {
      if isComplete {
        // Some tools pad a file's last block with zeros.
        while position < packed.count, packed[position] == 0 { position += 1 }
        guard position < packed.count else { return [] }
        guard inflateReset(stream) == Z_OK else { throw .corrupt }
        isComplete = false
      }
      let (bytes, status) = inflated(limit)
      isComplete = status == Z_STREAM_END
      guard isComplete || status == Z_OK || status == Z_BUF_ERROR else { throw .corrupt }
      if !bytes.isEmpty || !isComplete { return bytes }
    }
  }

  private func inflated(_ limit: Int) -> (bytes: [UInt8], status: Int32) {
    var status = Z_OK
    let bytes = packed.withUnsafeBufferPointer { packed in
      [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
        let rest = packed[position...]
        // zlib declares its input mutable but does not write to it.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: UnsafeBufferPointer(rebasing: rest).baseAddress)
        stream.pointee.avail_in = UInt32(clamping: rest.count)
        stream.pointee.next_out = buffer.baseAddress
        stream.pointee.avail_out = UInt32(clamping: limit)
        status = inflate(stream, Z_NO_FLUSH)
        position = packed.count - Int(truncatingIfNeeded: stream.pointee.avail_in)
        count = limit - Int(truncatingIfNeeded: stream.pointee.avail_out)
      }
    }
    return (bytes, status)
  }
}
