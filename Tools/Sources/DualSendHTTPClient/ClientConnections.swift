#if os(Linux)
  import AsyncHTTPClient
  import Crypto
  import DualSendCore
  import Foundation
  import NIOCore
  import NIOSSL

  /// A pool of connections that ask the same of their servers.
  final class ClientConnections: Sendable {
    /// One for the process: whoever asks nothing special need not connect again.
    static let shared = ClientConnections()

    let client: HTTPClient

    init(pins: [URLSessionTransport.Pin] = [], trustRoots: URL? = nil) {
      client = HTTPClient(
        eventLoopGroupProvider: .singleton, configuration: Self.configuration(pins: pins, trustRoots: trustRoots))
    }

    deinit {
      // A client must be shut down before it is let go of; it holds on to itself until that is done.
      client.shutdown { _ in }
    }

    private static func configuration(
      pins: [URLSessionTransport.Pin], trustRoots: URL?
    ) -> HTTPClient.Configuration {
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.minimumTLSVersion = .tlsv12
      if let trustRoots { tls.trustRoots = .file(trustRoots.path) }
      var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
      // When to try again is the caller's business, who also wants to know why it failed.
      configuration.connectionPool.retryConnectionEstablishment = false
      configuration.timeout.connect = TimeAmount(HTTPClientTransport.connectTimeout)
      guard !pins.isEmpty else { return configuration }
      // The pins are held against the server after the handshake and before the first request. HTTP/2 would ask for the
      // same once more, on another kind of connection.
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
