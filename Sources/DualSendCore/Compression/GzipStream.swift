import DualSendCZlib

/// Unpacks gzip (RFC 1952) piece by piece in bounded memory: one member after another, as `cat a.gz b.gz` leaves them.
public final class GzipStream {
  /// What every member starts with.
  public static let magic: [UInt8] = [0x1F, 0x8B]

  /// At an address of its own: zlib's state points back at it.
  private let stream: UnsafeMutablePointer<z_stream>
  private var packed: [UInt8] = []
  private var position = 0
  /// Whether everything so far is whole: no member has been begun that is not at its end.
  public private(set) var isComplete = true

  /// Begins with nothing.
  ///
  /// - Throws: ``Zlib/Failure/corrupt`` if zlib cannot get the memory it needs.
  public init() throws(Zlib.Failure) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard inflateInit2_(stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw .corrupt
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Hands over more packed bytes; ``next(_:)`` must have come to the end of those before.
  public func feed(_ bytes: [UInt8]) {
    packed = bytes
    position = 0
  }

  /// The next unpacked bytes, at most so many; empty where more packed bytes are needed, or where the file is at its end.
  public func next(_ limit: Int) throws(Zlib.Failure) -> [UInt8] {
    while true {
      if isComplete {
        // Some tools fill a file's last block with zeros.
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
        position = packed.count - Int(stream.pointee.avail_in)
        count = limit - Int(stream.pointee.avail_out)
      }
    }
    return (bytes, status)
  }
}
