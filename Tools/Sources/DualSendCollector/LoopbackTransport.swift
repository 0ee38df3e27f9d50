public import DualSendCore
import FlyingFox
import FlyingSocks
import Foundation

/// A transport to servers on this machine: plain HTTP to 127.0.0.1, a connection a request, no redirects.
///
/// The demo sends by it, so that a newcomer does not wait for a whole HTTP client to be built.
public struct LoopbackTransport: HTTPTransport {
  /// Creates a transport.
  public init() {}

  /// Sends the request; see `HTTPTransport.send(_:)`.
  public func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
    guard request.url.scheme == "http", request.url.host == "127.0.0.1" else {
      throw .connectionFailed("\(request.url.host ?? "the address") is not on this machine")
    }
    return try await Deadline(request.timeout).run(orThrow: HTTPTransportError.init) {
      () async throws(HTTPTransportError) in
      do { return try await Self.exchange(request) } catch let error as HTTPTransportError { throw error } catch {
        throw .connectionFailed(String(describing: error))
      }
    }
  }

  private static func exchange(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
    var headers: [HTTPHeader: String] = [.host: "127.0.0.1"]
    for (name, value) in request.headers { headers[HTTPHeader(name)] = value }
    var client = HTTPClient()
    let answer = try await client.sendHTTPRequest(
      HTTPRequest(
        method: HTTPMethod(request.method), version: .http11, path: request.url.path, query: [], headers: headers,
        body: Data(request.body ?? [])),
      to: .inet(ip4: "127.0.0.1", port: UInt16(request.url.port ?? 80)))
    var body = Array(try await answer.bodyData)
    let isCut = body.count > request.maximumResponseBytes
    if isCut, request.cutsLongResponse {
      body = Array(body.prefix(request.maximumResponseBytes))
    } else if isCut {
      throw HTTPTransportError.responseTooLarge(limit: request.maximumResponseBytes)
    }
    var fields: [String: String] = [:]
    for (header, value) in answer.headers { fields[header.rawValue.lowercased()] = value }
    return HTTPTransportResponse(status: answer.statusCode.code, headers: fields, body: body, isCut: isCut)
  }
}
