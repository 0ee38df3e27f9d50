/// The secret part of the page's address: 256 random bits.
struct AccessToken: Sendable {
  /// In base64url, without padding (RFC 4648, section 5).
  let text: String

  init() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    // 43 letters of six bits.
    text = String((0..<43).map { _ in alphabet[Int(generator.next() & 63)] })
  }

  /// Whether a text is the token. Takes as long for one that differs in its first letter as for one that differs in its last.
  func matches(_ other: some StringProtocol) -> Bool {
    let (own, given) = (Array(text.utf8), Array(other.utf8))
    guard own.count == given.count else { return false }
    return zip(own, given).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
