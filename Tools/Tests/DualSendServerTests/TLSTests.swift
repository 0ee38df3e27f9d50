#if os(Linux)
  import DualSendCore
  import DualSendHTTPClient
  import DualSendRollout
  import DualSendTracking
  import Foundation
  import Testing

  @Suite("TLS over AsyncHTTPClient", .enabled(if: TLSServer.isAvailable))
  struct TLSTests {
    private typealias Pin = URLSessionTransport.Pin
    private static let stranger = Pin(publicKeySHA256: String(repeating: "00", count: 32))

    private func get(_ server: TLSServer, _ transport: HTTPClientTransport) async throws -> Int {
      let request = HTTPTransportRequest(method: "GET", url: try #require(server.url), timeout: .seconds(60))
      return try await transport.send(request).status
    }

    private func failure(_ server: TLSServer, _ transport: HTTPClientTransport) async throws -> HTTPTransportError {
      try #require(await #expect(throws: HTTPTransportError.self) { _ = try await get(server, transport) })
    }

    @Test("reaches a server whose certificate is trusted, and no other")
    func trust() async throws {
      let server = try TLSServer()
      #expect(try await get(server, HTTPClientTransport(trustRoots: server.certificate)) == 200)
      guard case .connectionFailed(let reason) = try await failure(server, HTTPClientTransport()) else {
        Issue.record("a certificate that nobody vouches for was taken")
        return
      }
      #expect(reason.contains("CERTIFICATE_VERIFY_FAILED"))
      #expect(!reason.contains(".cc"), "no place in the source code of the TLS library")
    }

    @Test("speaks TLS 1.2 and 1.3, and nothing older", arguments: ["-tls1_3", "-tls1_2", "-tls1_1", "-tls1"])
    func version(_ option: String) async throws {
      // Without the lower security level, openssl itself would refuse the older versions.
      let server = try TLSServer(option, "-cipher", "ALL:@SECLEVEL=0")
      let transport = HTTPClientTransport(trustRoots: server.certificate)
      if option == "-tls1_3" || option == "-tls1_2" {
        #expect(try await get(server, transport) == 200)
      } else {
        guard case .connectionFailed(let reason) = try await failure(server, transport) else {
          Issue.record("an older version was spoken")
          return
        }
        #expect(reason.contains("PROTOCOL"))
      }
    }

    @Test("goes on where one of the pins holds, of the certificate or of its key")
    func pins() async throws {
      let server = try TLSServer()
      for pin in [Pin(publicKeySHA256: server.keyDigest), Pin(certificateSHA256: server.certificateDigest)] {
        let pins = [Self.stranger, pin].compactMap { $0 }
        #expect(pins.count == 2)
        let transport = HTTPClientTransport(pins: pins, trustRoots: server.certificate)
        #expect(try await get(server, transport) == 200)
        #expect(try await get(server, transport) == 200)
      }
    }

    @Test("sends nothing to a trusted server that shows no pinned key, however often it is asked")
    func mismatch() async throws {
      let server = try TLSServer()
      let pins = [Self.stranger, Pin(certificateSHA256: server.keyDigest)].compactMap { $0 }
      let transport = HTTPClientTransport(pins: pins, trustRoots: server.certificate)
      for _ in 0..<3 { #expect(try await failure(server, transport) == .untrustedServer) }
    }

    @Test("does not take a pin for a certificate that nobody vouches for")
    func pinWithoutTrust() async throws {
      let server = try TLSServer()
      let pin = try #require(Pin(publicKeySHA256: server.keyDigest))
      guard case .connectionFailed = try await failure(server, HTTPClientTransport(pins: [pin])) else {
        Issue.record("a pin stood in for trust")
        return
      }
    }

    @Test("with pins sends nothing in the open")
    func plainHTTP() async throws {
      let pin = try #require(Self.stranger)
      let request = HTTPTransportRequest(method: "GET", url: try #require(URL(string: "http://127.0.0.1:9/")))
      await #expect(
        throws: HTTPTransportError.connectionFailed("pins require HTTPS")
      ) { try await HTTPClientTransport(pins: [pin]).send(request) }
    }

    @Test("serves a tracker and a fetcher alike: neither loses anything to a server without the pinned key")
    func trackerAndFetcher() async throws {
      let server = try TLSServer()
      let url = try #require(server.url)
      let transport = HTTPClientTransport(pins: [Self.stranger].compactMap { $0 }, trustRoots: server.certificate)
      let tracker = Tracker(
        configuration: TrackerConfiguration(
          endpoint: TrackingEndpoint(url: url), storage: .memory, backoff: .ladder(retryLimit: 0),
          transport: transport))
      tracker.sendLog(name: "a", payload: [:])
      let report = await tracker.flush(timeout: .seconds(60))
      #expect(report.pending == 1)
      #expect(report.obstacle == .failing(.transport(.untrustedServer)))
      await tracker.shutdown(timeout: .zero)

      let fetcher = RemoteConfigFetcher(
        RemoteConfigFetcher.Options(url: url), storage: .memory(), transport: transport)
      #expect(await fetcher.fetch() == .failed(.noAnswer(.untrustedServer)))
    }
  }
#endif
