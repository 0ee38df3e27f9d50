import DualSendCZlib

/// Compresses and decompresses whole buffers with the system's zlib.
package enum Zlib {
  /// How the compressed bytes are wrapped; the raw value is the HTTP content coding (RFC 9110, section 8.4.1).
  package enum Format: String, Sendable, Hashable {
    /// RFC 1950, which HTTP calls `deflate`.
    case deflate
    /// RFC 1952.
    case gzip

    fileprivate var windowBits: Int32 {
      self == .deflate ? MAX_WBITS : MAX_WBITS + 16
    }
  }

  /// How hard to compress by default. Takes half the time of zlib's own default, 6; the result is an eighth longer.
  package static let level: Int32 = 4

  /// Why bytes could not be decompressed.
  package enum Failure: Error, Hashable {
    case corrupt
    /// zlib cannot get the memory it needs.
    case outOfMemory
    case tooLarge(limit: Int)
  }

  /// The compressed bytes; `nil` if zlib cannot get the memory it needs.
  ///
  /// - Parameter level: 1 (fast) … 9 (small).
  package static func compress(_ bytes: [UInt8], as format: Format, level: Int32 = level) -> [UInt8]? {
    var stream = z_stream()
    guard
      deflateInit2_(
        &stream, level, Z_DEFLATED, format.windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    return withInput(bytes, of: &stream) { stream in
      let bound = Int(deflateBound(&stream, UInt(bytes.count)))
      return [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
        stream.next_out = buffer.baseAddress
        stream.avail_out = UInt32(clamping: bound)
        count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
      }
    }
  }

  /// Decompresses either format. Throws if bytes follow the compressed data.
  ///
  /// - Parameter limit: the longest result accepted, in bytes. Decompression stops as soon as it is exceeded.
  package static func decompress(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    let (result, isWhole) = inflated(bytes, limit: limit)
    if result.count > limit { throw .tooLarge(limit: limit) }
    guard isWhole else { throw .corrupt }
    return result
  }

  /// The start of the decompressed bytes: at most `limit`, and only what precedes damage or a cut.
  package static func start(of bytes: [UInt8], limit: Int) -> [UInt8] {
    Array(inflated(bytes, limit: limit).result.prefix(limit))
  }

  private static func inflated(_ bytes: [UInt8], limit: Int) -> (result: [UInt8], isWhole: Bool) {
    var stream = z_stream()
    // 32 makes zlib detect the format by its header.
    guard inflateInit2_(&stream, MAX_WBITS + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      return ([], false)
    }
    defer { inflateEnd(&stream) }
    var result: [UInt8] = []
    let status = withInput(bytes, of: &stream) { stream in
      var chunk = [UInt8](repeating: 0, count: 64 << 10)
      var status = Z_OK
      while status == Z_OK, result.count <= limit {
        let produced = chunk.withUnsafeMutableBufferPointer { buffer in
          stream.next_out = buffer.baseAddress
          stream.avail_out = UInt32(buffer.count)
          status = inflate(&stream, Z_NO_FLUSH)
          return buffer.count - Int(truncatingIfNeeded: stream.avail_out)
        }
        result.append(contentsOf: chunk[..<produced])
      }
      return status
    }
    return (result, status == Z_STREAM_END && stream.avail_in == 0)
  }

  static func withInput<Result>(
    _ bytes: [UInt8], of stream: inout z_stream, _ body: (inout z_stream) -> Result
  ) -> Result {
    bytes.withUnsafeBufferPointer { input in
      // zlib declares its input mutable but does not write to it.
      stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.avail_in = UInt32(clamping: input.count)
      return body(&stream)
    }
  }
}
