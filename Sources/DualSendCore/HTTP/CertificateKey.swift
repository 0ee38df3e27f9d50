/// The public key of an X.509 certificate as it stands there: its SubjectPublicKeyInfo (RFC 5280, section 4.1), in DER.
///
/// Read from the bytes, because systems hand out keys without the algorithm that the hash of a pin covers.
struct CertificateKey: Sendable, Hashable {
  private static let sequence: UInt8 = 0x30
  private static let version: UInt8 = 0xA0

  let bytes: [UInt8]

  /// `nil` for bytes that are no certificate.
  init?(of certificate: [UInt8]) {
    guard let whole = Element(certificate[...]), whole.tag == Self.sequence,
      let signed = Element(whole.content), signed.tag == Self.sequence
    else { return nil }
    var rest = signed.content
    if rest.first == Self.version, let version = Element(rest) { rest = version.rest }
    // Serial number, signature algorithm, issuer, validity, subject.
    for _ in 0..<5 {
      guard let element = Element(rest) else { return nil }
      rest = element.rest
    }
    guard let key = Element(rest), key.tag == Self.sequence else { return nil }
    bytes = Array(rest[..<key.rest.startIndex])
  }

  /// One element of DER (X.690, section 8.1): a tag of one byte, a length of at most four, the content.
  private struct Element {
    let tag: UInt8
    let content: ArraySlice<UInt8>
    /// What follows.
    let rest: ArraySlice<UInt8>

    init?(_ bytes: ArraySlice<UInt8>) {
      var rest = bytes
      guard let tag = rest.popFirst(), let first = rest.popFirst() else { return nil }
      var length = Int(first)
      if first >= 0x80 {
        let count = Int(first & 0x7F)
        guard (1...4).contains(count), rest.count >= count else { return nil }
        length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(count)
      }
      guard length <= rest.count else { return nil }
      self.tag = tag
      content = rest.prefix(length)
      self.rest = rest.dropFirst(length)
    }
  }
}
