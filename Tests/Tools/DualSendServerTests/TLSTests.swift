#if os(Linux)
  import DualSendCore
  import DualSendHTTPClient
  import Foundation
  import Testing

  @Suite("TLS over libcurl", .enabled(if: TLSServer.isAvailable), .timeLimit(.minutes(5)))
  struct TLSTests {
    private func get(_ server: TLSServer, _ transport: CurlTransport) async throws -> Int {
      let request = HTTPTransportRequest(method: "GET", url: try #require(server.url), timeout: .seconds(60))
      return try await transport.send(request).status
    }

    private func failure(_ server: TLSServer, _ transport: CurlTransport) async throws -> HTTPTransportError {
      try #require(await #expect(throws: HTTPTransportError.self) { _ = try await get(server, transport) })
    }

    @Test("reaches a server whose certificate is trusted, and no other")
    func trust() async throws {
      let server = try TLSServer()
      #expect(try await get(server, CurlTransport(trustRoots: server.certificate)) == 200)
      guard case .connectionFailed(let reason) = try await failure(server, CurlTransport()) else {
        Issue.record("a certificate that nobody vouches for was taken")
        return
      }
      #expect(reason.contains("certificate"))
    }

    @Test("speaks TLS 1.2 and 1.3, and nothing older", arguments: ["-tls1_3", "-tls1_2", "-tls1_1", "-tls1"])
    func version(_ option: String) async throws {
      // Without the lower security level, openssl itself would refuse the older versions.
      let server = try TLSServer(option, "-cipher", "ALL:@SECLEVEL=0")
      let transport = CurlTransport(trustRoots: server.certificate)
      if option == "-tls1_3" || option == "-tls1_2" {
        #expect(try await get(server, transport) == 200)
      } else {
        guard case .connectionFailed(let reason) = try await failure(server, transport) else {
          Issue.record("an older version was spoken")
          return
        }
        #expect(reason.contains("version"))
      }
    }
  }
#endif
