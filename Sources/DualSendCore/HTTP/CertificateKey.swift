/// The SubjectPublicKeyInfo of an X.509 certificate (RFC 5280, section 4.1), in DER.
///
/// Parsed here, because Apple's API returns keys without the algorithm identifier, which a pin's hash covers.
struct CertificateKey: Sendable, Hashable {
  private static let sequence: UInt8 = 0x30
  private static let version: UInt8 = 0xA0

  let bytes: [UInt8]

  /// `nil` if the bytes are not a certificate.
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

  /// One element of DER (X.690, section 8.1): a one-byte tag, a length of at most four bytes, the content.
  private struct Element {
    let tag: UInt8
    let content: ArraySlice<UInt8>
    /// The bytes after the element.
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
