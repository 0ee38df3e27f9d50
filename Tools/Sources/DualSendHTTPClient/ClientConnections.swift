#if os(Linux)
  import AsyncHTTPClient
  import Crypto
  import DualSendCore
  import Foundation
  import NIOCore
  import NIOSSL

  /// A connection pool with the same TLS requirements.
  final class ClientConnections: Sendable {
    /// The pool of the process for connections without special requirements.
    static let shared = ClientConnections()

    let client: HTTPClient

    init(pins: [URLSessionTransport.Pin] = [], trustRoots: URL? = nil) {
      client = HTTPClient(
        eventLoopGroupProvider: .singleton, configuration: Self.configuration(pins: pins, trustRoots: trustRoots))
    }

    deinit {
      // A client must be shut down before it is released; it retains itself until then.
      client.shutdown { _ in }
    }

    private static func configuration(
      pins: [URLSessionTransport.Pin], trustRoots: URL?
    ) -> HTTPClient.Configuration {
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.minimumTLSVersion = .tlsv12
      if let trustRoots { tls.trustRoots = .file(trustRoots.path) }
      var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
      // The caller decides about retries, and needs the error.
      configuration.connectionPool.retryConnectionEstablishment = false
      configuration.timeout.connect = TimeAmount(HTTPClientTransport.connectTimeout)
      guard !pins.isEmpty else { return configuration }
      // Checks the pins after the handshake and before the first request. HTTP/2 would need the same on another channel
      // type.
      configuration.httpVersion = .http1Only
      configuration.http1_1ConnectionDebugInitializer = { channel in
        channel.nioSSL_peerCertificate().flatMapThrowing { certificate in
          let bytes = try certificate?.toDERBytes() ?? []
          guard pins.contains(where: { $0.accepts(bytes) { Array(SHA256.hash(data: $0)) } }) else {
            throw HTTPTransportError.untrustedServer
          }
        }.flatMapErrorThrowing { error in
          channel.close(promise: nil)
          throw error
        }
      }
      return configuration
    }
  }
#endif
