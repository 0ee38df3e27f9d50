import DualSendCollector
import DualSendCore
import Foundation
import Testing

@Suite("The transport of the demo", .timeLimit(.minutes(5)))
struct LoopbackTransportTests {
  private let transport = LoopbackTransport()

  private func with(_ body: (CollectorServer, URL) async throws -> Void) async throws {
    let server = CollectorServer()
    try await server.start()
    await server.setDocument([UInt8](repeating: 7, count: 5000), at: "/document")
    let url = try #require(await server.url("/document"))
    do { try await body(server, url) } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  @Test("gets a document with its entity tag, and 304 for it")
  func document() async throws {
    try await with { _, url in
      let answer = try await transport.send(HTTPTransportRequest(method: "GET", url: url))
      #expect(answer.status == 200)
      #expect(answer.body.count == 5000)
      let tag = try #require(answer.header("ETag"))
      let again = HTTPTransportRequest(method: "GET", url: url, headers: ["If-None-Match": tag])
      #expect(try await transport.send(again).status == 304)
    }
  }

  @Test("keeps the bounds of its request")
  func bounds() async throws {
    try await with { server, url in
      let small = HTTPTransportRequest(method: "GET", url: url, maximumResponseBytes: 4999)
      await #expect(throws: HTTPTransportError.responseTooLarge(limit: 4999)) { try await transport.send(small) }
      await server.setDocumentFaults([CollectorFault(.delay(.seconds(60)))], at: "/document")
      let short = HTTPTransportRequest(method: "GET", url: url, timeout: .milliseconds(100))
      await #expect(throws: HTTPTransportError.timedOut) { try await transport.send(short) }
    }
  }

  @Test("says so when the connection breaks, and goes nowhere but to this machine")
  func failures() async throws {
    try await with { server, url in
      await server.setDocumentFaults([CollectorFault(.drop)], at: "/document")
      await #expect(throws: HTTPTransportError.self) {
        try await transport.send(HTTPTransportRequest(method: "GET", url: url))
      }
    }
    let server = CollectorServer()
    let url = URL(string: "http://127.0.0.1:\(try await server.start())/document")
    await server.stop()
    let closed = HTTPTransportRequest(method: "GET", url: try #require(url))
    await #expect(throws: HTTPTransportError.self) { try await transport.send(closed) }
    for text in ["http://192.0.2.1/", "https://127.0.0.1/"] {
      let url = try #require(URL(string: text))
      await #expect(throws: HTTPTransportError.self) {
        try await transport.send(HTTPTransportRequest(method: "GET", url: url))
      }
    }
  }
}
