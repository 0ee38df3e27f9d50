/// The names by which a server on this machine may be called.
///
/// Another one in `Host` is the name of a page's own server, which was made to point at this machine (DNS rebinding).
package struct ServerNames: Sendable {
  /// In lower case, without ports.
  private let names: Set<String>

  /// - Parameter names: the server's names beside those of the loopback interface, such as that of a tunnel.
  package init(_ names: [String] = []) {
    self.names = Set(names.map { $0.lowercased() }).union(["127.0.0.1", "localhost", "[::1]"])
  }

  /// Whether a `Host` is one of them.
  package func contains(host: String) -> Bool { names.contains(Self.withoutPort(host.lowercased())) }

  /// What follows the last colon is left only if it is a number.
  private static func withoutPort(_ host: String) -> String {
    guard host.last != "]", let colon = host.lastIndex(of: ":"),
      host[host.index(after: colon)...].utf8.allSatisfy({ 0x30...0x39 ~= $0 })
    else { return host }
    return String(host[..<colon])
  }
}
