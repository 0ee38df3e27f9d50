import DualSendCollector
import DualSendCore
import Foundation

/// A transport under test with its server.
struct TransportBench: Sendable {
  let server = CollectorServer()
  let transport: any HTTPTransport

  /// Serves a path with a body of this size and a fault.
  func serve(_ path: String, bytes: Int = 64, headers: [String: String] = [:], fault: CollectorFault? = nil) async {
    await serve(path, body: Self.noise(bytes), headers: headers, fault: fault)
  }

  func serve(_ path: String, body: [UInt8], headers: [String: String] = [:], fault: CollectorFault? = nil) async {
    await server.setDocument(body, headers: headers, at: path)
    await server.setDocumentFaults(fault.map { [$0] } ?? [], at: path)
  }

  func get(
    _ path: String, headers: [String: String] = [:], timeout: Duration = .seconds(30), maximumBytes: Int = 1 << 20,
    cutsLongResponse: Bool = false
  ) async throws -> HTTPTransportResponse {
    let url = try await url(path)
    var request = HTTPTransportRequest(
      method: "GET", url: url, headers: headers, timeout: timeout, maximumResponseBytes: maximumBytes)
    request.cutsLongResponse = cutsLongResponse
    return try await transport.send(request)
  }

  func post(
    _ body: [UInt8], headers: [String: String] = [:], timeout: Duration = .seconds(30)
  ) async throws -> HTTPTransportResponse {
    let url = try await url(CollectorServer.eventsPath)
    return try await transport.send(
      HTTPTransportRequest(method: "POST", url: url, headers: headers, body: body, timeout: timeout))
  }

  func url(_ path: String) async throws -> URL {
    guard let url = await server.url(path) else {
      throw HTTPTransportConformance.Violation(description: "the server has no address for \(path)")
    }
    return url
  }

  /// The error of a request that must fail.
  func failure(_ request: () async throws -> HTTPTransportResponse) async throws -> HTTPTransportError {
    let answer: HTTPTransportResponse
    do { answer = try await request() } catch let error as HTTPTransportError { return error }
    throw HTTPTransportConformance.Violation(description: "expected no answer, found one with status \(answer.status)")
  }

  /// Waits until the server has received the request.
  func untilAsked(for path: String) async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while await server.documentRequests(at: path).total == 0 {
      guard ContinuousClock.now < deadline else {
        throw HTTPTransportConformance.Violation(description: "the request did not reach the server within 10 s")
      }
      await Task.yield()
    }
  }

  /// Pseudo-random bytes.
  static func noise(_ count: Int) -> [UInt8] {
    var random = SplitMix64(seed: UInt64(count))
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }
}
