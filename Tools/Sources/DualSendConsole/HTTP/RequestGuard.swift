/// Lets in only what comes from the page itself or from an app on this machine.
///
/// The token keeps out whoever does not know the address. `Host` keeps out pages that have their own name resolved to this
/// machine (DNS rebinding), and `Origin` keeps out requests that another site makes a browser send.
struct RequestGuard: Sendable {
  /// Why a request is not answered.
  enum Refusal: Error, Hashable {
    /// It does not know the token.
    case unknownAddress
    /// It was sent to a name that this server does not go by.
    case foreignHost
    /// A page of another site sent it.
    case foreignOrigin
  }

  let token: AccessToken
  /// The names that the server goes by, in lower case, without ports.
  private let hosts: Set<String>

  /// - Parameter names: the names that it goes by beside those of this machine's loopback interface.
  init(token: AccessToken, names: [String]) {
    self.token = token
    hosts = Set(names.map { $0.lowercased() }).union(["127.0.0.1", "localhost", "[::1]"])
  }

  /// The path below the token.
  ///
  /// - Parameter path: the path as it was sent, percent-encoded.
  func pathBelowToken(_ path: String, host: String?, origin: String?) throws(Refusal) -> Substring {
    guard path.first == "/" else { throw .unknownAddress }
    let rest = path.dropFirst()
    guard let slash = rest.firstIndex(of: "/"), token.matches(rest[..<slash]) else { throw .unknownAddress }
    guard let host = host?.lowercased(), hosts.contains(Self.name(of: host)) else { throw .foreignHost }
    if let origin, origin.lowercased() != "http://" + host { throw .foreignOrigin }
    return rest[rest.index(after: slash)...]
  }

  /// The host without its port.
  private static func name(of host: String) -> String {
    let end = host.last == "]" ? nil : host.lastIndex(of: ":")
    return String(end.map { host[..<$0] } ?? host[...])
  }
}
