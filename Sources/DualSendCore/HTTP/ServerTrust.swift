import Foundation

#if canImport(Security)
  import CryptoKit
  import Security
#endif

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The TLS requirements of a `URLSession`: version and pins.
struct ServerTrust: Sendable {
  let pins: [URLSessionTransport.Pin]

  /// Throws if a request would be sent without a check of the pins.
  func admit(_ request: HTTPTransportRequest) throws(HTTPTransportError) {
    guard !pins.isEmpty else { return }
    guard request.url.scheme?.lowercased() == "https" else {
      throw .connectionFailed("pins require HTTPS")
    }
    #if !canImport(Security)
      throw .connectionFailed("URLSession cannot check pins on this system")
    #endif
  }

  /// Raises a configuration's minimum to TLS 1.2, as RFC 8996 requires.
  ///
  /// On Linux, which has no such setting, the system's minimum applies.
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
    /// Whether to reject a server because it shows none of the pins. A certificate that the system does not trust is
    /// left to the system, whose error says why.
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
