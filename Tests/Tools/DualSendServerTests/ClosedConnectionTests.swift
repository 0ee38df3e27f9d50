import DualSendCollector
import DualSendCommandTesting
import DualSendCore
import DualSendHTTPClient
import DualSendRollout
import DualSendTesting
import Foundation
import Testing

@Suite("A connection that the server closes", .timeLimit(.minutes(5)))
struct ClosedConnectionTests {
  enum Transport: String, CaseIterable {
    case loopback, system, urlSession

    var transport: any HTTPTransport {
      switch self {
      case .loopback: LoopbackTransport()
      case .system: SystemTransport.make()
      case .urlSession: URLSessionTransport()
      }
    }
  }

  private static let document = Array(rolloutText(revision: 1, new: 5).utf8)

  private func fetcher(_ server: ClosingServer, _ transport: Transport) -> RemoteConfigFetcher {
    RemoteConfigFetcher(
      RemoteConfigFetcher.Options(url: server.url, minimumInterval: .zero, timeout: .seconds(60)), storage: .memory(),
      transport: transport.transport)
  }

  @Test("does not fail a fetch, whenever it is closed", arguments: Transport.allCases, ClosingServer.Moment.allCases)
  func fetch(_ transport: Transport, _ moment: ClosingServer.Moment) async throws {
    let server = try await ClosingServer(closing: moment, document: Self.document)
    let fetcher = fetcher(server, transport)
    #expect(await fetcher.fetch() == .fresh(isInForce: false))
    for _ in 0..<20 {
      // The connection ends at about the time of the next request.
      if moment == .onDemand { server.closeConnections() }
      #expect(await fetcher.fetch() == .unchanged)
    }
    #expect(server.requests >= 21)
    await server.stop()
  }

  @Test("is a reason of its own if no request gets an answer, after three requests", arguments: Transport.allCases)
  func neverAnswers(_ transport: Transport) async throws {
    let server = try await ClosingServer(closing: .afterHead, document: Self.document, unanswered: .max)
    #expect(await fetcher(server, transport).fetch() == .failed(.noAnswer(.connectionClosed)))
    #expect(server.requests == 3)
    await server.stop()
  }

  @Test("does not send a request again that is not idempotent", arguments: Transport.allCases)
  func post(_ transport: Transport) async throws {
    let server = try await ClosingServer(closing: .afterHead, document: Self.document, unanswered: .max)
    let request = HTTPTransportRequest(method: "POST", url: server.url, headers: ["Content-Length": "0"])
    await #expect(throws: HTTPTransportError.connectionClosed) { try await transport.transport.send(request) }
    #expect(server.requests == 1)
    await server.stop()
  }
}
