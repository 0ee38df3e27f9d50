/// What tells one body from another.
package enum EntityTag {
  /// FNV-1a (RFC 9923), 64 bits, and the length. Equal bytes have equal tags.
  package static func text(of body: [UInt8]) -> String {
    let hash = body.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return "\(String(hash, radix: 16))-\(body.count)"
  }
}
