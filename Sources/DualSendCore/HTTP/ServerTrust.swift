import Foundation

#if canImport(Security)
  import CryptoKit
  import Security
#endif

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a session of `URLSession` asks of a server before it speaks to it.
struct ServerTrust: Sendable {
  let pins: [URLSessionTransport.Pin]

  /// Throws where a request could go out without the pins being held against the server.
  func admit(_ request: HTTPTransportRequest) throws(HTTPTransportError) {
    guard !pins.isEmpty else { return }
    guard request.url.scheme?.lowercased() == "https" else {
      throw .connectionFailed("a server that must show a pinned key is reached by HTTPS only")
    }
    #if !canImport(Security)
      throw .connectionFailed("URLSession cannot check pins on this system")
    #endif
  }

  /// A configuration that speaks TLS 1.2 or later, as RFC 8996 asks for.
  ///
  /// Where the system has no such setting, as on Linux, its own minimum holds.
  static func secured(_ configuration: URLSessionConfiguration) -> URLSessionConfiguration {
    #if canImport(Security)
      let oldest = tls_protocol_version_t.TLSv12
      guard configuration.tlsMinimumSupportedProtocolVersion.rawValue < oldest.rawValue,
        let secured = configuration.copy() as? URLSessionConfiguration
      else { return configuration }
      secured.tlsMinimumSupportedProtocolVersion = oldest
      return secured
    #else
      return configuration
    #endif
  }

  #if canImport(Security)
    /// Whether a challenge is about a server that shows none of the pins. What the system itself does not trust is left to
    /// the system, which says why.
    func refuses(_ challenge: URLAuthenticationChallenge) -> Bool {
      guard !pins.isEmpty, let trust = challenge.protectionSpace.serverTrust,
        challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
        SecTrustEvaluateWithError(trust, nil)
      else { return false }
      let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
      return !chain.contains { certificate in
        let bytes = [UInt8](SecCertificateCopyData(certificate) as Data)
        return pins.contains { $0.accepts(bytes) { Array(SHA256.hash(data: $0)) } }
      }
    }
  #endif
}
