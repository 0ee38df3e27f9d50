import DualSendCZlib

/// A part of a compressed stream: raw deflate (RFC 1951) that ends on a byte boundary, so that parts can be joined.
package struct DeflateSegment: Sendable, Equatable {
  /// The compressed bytes.
  package let bytes: [UInt8]
  /// How many bytes they are decompressed.
  package let length: Int
  /// The checksum of the decompressed bytes for gzip.
  package let crc32: UInt32
  /// The checksum of the decompressed bytes for `deflate`.
  package let adler32: UInt32

  /// A segment that was made before.
  package init(bytes: [UInt8], length: Int, crc32: UInt32, adler32: UInt32) {
    self.bytes = bytes
    self.length = length
    self.crc32 = crc32
    self.adler32 = adler32
  }

  /// Compresses; `nil` if zlib cannot get the memory it needs.
  ///
  /// - Parameter level: 1 (fast) … 9 (small).
  package init?(compressing plain: [UInt8], level: Int32 = Zlib.level) {
    guard let compressor = Compressor(longest: plain.count, level: level), let segment = compressor.segment(plain)
    else {
      return nil
    }
    self = segment
  }

  /// Uncompressed bytes, at most 65,535, as a stored block (RFC 1951, section 3.2.4).
  package init(storing plain: [UInt8]) {
    self.init(
      bytes: Self.storedBlock(plain, isLast: false), length: plain.count, crc32: Self.crc32(of: plain),
      adler32: Self.adler32(of: plain))
  }

  /// The decompressed bytes.
  ///
  /// - Throws: ``Zlib/Failure/corrupt`` if they are not ``length`` bytes with these checksums.
  package func decompressed() throws(Zlib.Failure) -> [UInt8] {
    var stream = z_stream()
    guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw .outOfMemory
    }
    defer { inflateEnd(&stream) }
    var isWhole = false
    let plain = Zlib.withInput(bytes, of: &stream) { stream in
      [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
        stream.next_out = buffer.baseAddress
        stream.avail_out = UInt32(clamping: length)
        let status = inflate(&stream, Z_SYNC_FLUSH)
        isWhole = (status == Z_OK || status == Z_BUF_ERROR) && stream.avail_out == 0
        count = length - Int(truncatingIfNeeded: stream.avail_out)
      }
    }
    guard isWhole, Self.crc32(of: plain) == crc32, Self.adler32(of: plain) == adler32 else { throw .corrupt }
    return plain
  }

  /// A complete compressed stream of segments, in order.
  package static func joined(_ segments: [DeflateSegment], as format: Zlib.Format) -> [UInt8] {
    // RFC 1950, section 2.2, and RFC 1952, section 2.3.1: a window of 32 KiB; no name, time or system.
    var stream: [UInt8] = format == .deflate ? [0x78, 0x5E] : [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    stream.reserveCapacity(segments.reduce(32) { $0 + $1.bytes.count })
    var length = 0
    var sum: UInt = format == .deflate ? 1 : 0
    for segment in segments {
      stream += segment.bytes
      length += segment.length
      sum =
        format == .deflate
        ? adler32_combine(sum, UInt(segment.adler32), segment.length)
        : crc32_combine(sum, UInt(segment.crc32), segment.length)
    }
    stream += storedBlock([], isLast: true)
    let check = UInt32(truncatingIfNeeded: sum)
    if format == .deflate {
      withUnsafeBytes(of: check.bigEndian) { stream += $0 }
    } else {
      withUnsafeBytes(of: check.littleEndian) { stream += $0 }
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: length).littleEndian) { stream += $0 }
    }
    return stream
  }

  private static func storedBlock(_ plain: [UInt8], isLast: Bool) -> [UInt8] {
    var block: [UInt8] = [isLast ? 1 : 0]
    let length = UInt16(plain.count)
    for field in [length, ~length] { withUnsafeBytes(of: field.littleEndian) { block += $0 } }
    return block + plain
  }

  private static func crc32(of bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: bytes.withUnsafeBufferPointer { zlibCRC32(0, $0.baseAddress, UInt32($0.count)) })
  }

  private static func adler32(of bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: bytes.withUnsafeBufferPointer { zlibAdler32(1, $0.baseAddress, UInt32($0.count)) })
  }
}

extension DeflateSegment {
  /// Compresses several segments with the same memory: zlib's tables take longer to make than 20 events to compress.
  package struct Compressor: ~Copyable {
    /// zlib keeps this address.
    private let stream: UnsafeMutablePointer<z_stream>

    /// `nil` if zlib cannot get the memory it needs.
    ///
    /// - Parameters:
    ///   - longest: the bytes of the longest segment. A few events need no window of 32 KiB.
    ///   - level: 1 (fast) … 9 (small).
    package init?(longest: Int, level: Int32 = Zlib.level) {
      let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
      stream.initialize(to: z_stream())
      let window = Int32(min(15, max(9, Int.bitWidth - longest.leadingZeroBitCount)))
      guard
        deflateInit2_(
          stream, level, Z_DEFLATED, -window, max(4, window - 7), Z_DEFAULT_STRATEGY, ZLIB_VERSION,
          Int32(MemoryLayout<z_stream>.size)) == Z_OK
      else {
        stream.deallocate()
        return nil
      }
      self.stream = stream
    }

    deinit {
      deflateEnd(stream)
      stream.deallocate()
    }

    /// Compresses one segment; `nil` if zlib fails.
    package func segment(_ plain: [UInt8]) -> DeflateSegment? {
      guard deflateReset(stream) == Z_OK else { return nil }
      // The flush adds an empty block of at most 6 bytes.
      let bound = Int(deflateBound(stream, UInt(plain.count))) + 16
      // Copied, because the bound is several times as long.
      let bytes = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bound) { buffer -> [UInt8]? in
        Zlib.withInput(plain, of: &stream.pointee) { stream in
          stream.next_out = buffer.baseAddress
          stream.avail_out = UInt32(clamping: bound)
          guard deflate(&stream, Z_SYNC_FLUSH) == Z_OK, stream.avail_in == 0, stream.avail_out > 0 else { return nil }
          return Array(buffer[..<(bound - Int(truncatingIfNeeded: stream.avail_out))])
        }
      }
      guard let bytes else { return nil }
      return DeflateSegment(
        bytes: bytes, length: plain.count, crc32: DeflateSegment.crc32(of: plain),
        adler32: DeflateSegment.adler32(of: plain))
    }
  }
}

// Inside the type, its own names hide those of zlib.
private func zlibCRC32(_ start: UInt, _ bytes: UnsafePointer<UInt8>?, _ count: UInt32) -> UInt {
  crc32(start, bytes, count)
}

private func zlibAdler32(_ start: UInt, _ bytes: UnsafePointer<UInt8>?, _ count: UInt32) -> UInt {
  adler32(start, bytes, count)
}
