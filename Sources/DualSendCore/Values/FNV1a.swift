/// The 64-bit FNV-1a hash (Fowler, Noll, Vo; RFC 9923). Not cryptographic. Part of file formats, so it stays the same.
public enum FNV1a {
  /// The hash of some bytes.
  public static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// The hash as 16 hexadecimal digits.
  public static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = String(hash(bytes), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
