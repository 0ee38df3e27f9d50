import DualSendCZlib

extension Zlib {
  /// The CRC-32 of RFC 1952, section 8: it finds damage and protects from nobody.
  public static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    // zlib's type for a checksum is wider than a checksum on most systems.
    UInt32(truncatingIfNeeded: crc32_z(0, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count))
  }
}
