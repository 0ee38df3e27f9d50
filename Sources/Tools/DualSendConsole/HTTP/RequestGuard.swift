import DualSendCollector

/// Accepts only requests from the page itself or from an app on this machine.
///
/// The token keeps the address secret. Checking `Host` prevents DNS rebinding, and checking `Origin` prevents
/// cross-site requests.
struct RequestGuard: Sendable {
  /// The reason to refuse a request.
  enum Refusal: Error, Hashable {
    /// The token is wrong.
    case unknownAddress
    /// The `Host` is not a name of this server.
    case foreignHost
    /// A page of another site sent it.
    case foreignOrigin
  }

  let token: AccessToken
  /// Opens what can be read, and nothing else.
  let reader: AccessToken
  private let names: ServerNames

  /// - Parameter names: the server's names beside those of the loopback interface.
  init(token: AccessToken, reader: AccessToken = AccessToken(), names: [String]) {
    (self.token, self.reader) = (token, reader)
    self.names = ServerNames(names)
  }

  /// The path below the token, and whether the token allows more than to read.
  ///
  /// - Parameter path: the path as it was sent, percent-encoded.
  func pathBelowToken(_ path: String, host: String?, origin: String?) throws(Refusal) -> (path: Substring, mayAct: Bool)
  {
    guard path.first == "/" else { throw .unknownAddress }
    let rest = path.dropFirst()
    guard let slash = rest.firstIndex(of: "/") else { throw .unknownAddress }
    let mayAct = token.matches(rest[..<slash])
    guard mayAct || reader.matches(rest[..<slash]) else { throw .unknownAddress }
    guard let host = host?.lowercased(), names.contains(host: host) else { throw .foreignHost }
    if let origin, origin.lowercased() != "http://" + host { throw .foreignOrigin }
    return (rest[rest.index(after: slash)...], mayAct)
  }
}

/// The secret part of the page's address: 256 random bits.
struct AccessToken: Sendable {
  /// In base64url, without padding (RFC 4648, section 5).
  let text: String

  init() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    // 43 characters of six bits.
    text = String((0..<43).map { _ in alphabet[Int(generator.next() & 63)] })
  }

  /// Compares a text with the token in constant time.
  func matches(_ other: some StringProtocol) -> Bool {
    let (own, given) = (Array(text.utf8), Array(other.utf8))
    guard own.count == given.count else { return false }
    return zip(own, given).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
