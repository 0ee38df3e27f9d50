package import DualSendCore
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A transport to local servers: plain HTTP to 127.0.0.1, one connection per request, no redirects.
///
/// Used by the demo, which then builds without a complete HTTP client.
package struct LoopbackTransport: HTTPTransport {
  /// Creates a transport.
  package init() {}

  /// Sends the request; see `HTTPTransport.send(_:)`.
  package func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
    guard request.url.scheme == "http", request.url.host == "127.0.0.1" else {
      throw .connectionFailed("\(request.url.host ?? "the address") is not on this machine")
    }
    return try await Deadline(request.timeout).run(orThrow: HTTPTransportError.init) {
      () async throws(HTTPTransportError) in
      do { return try await Self.exchange(request) } catch let error as HTTPTransportError { throw error } catch {
        throw Self.hasClosed(error) ? .connectionClosed : .connectionFailed(String(describing: error))
      }
    }
  }

  private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

  private static func exchange(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
    let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .connect(host: "127.0.0.1", port: request.url.port ?? 80) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          return try Connection(wrappingChannelSynchronously: channel)
        }
      }
    return try await connection.executeThenClose { inbound, outbound in
      try await outbound.write(.head(head(of: request)))
      if let body = request.body { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: body)))) }
      try await outbound.write(.end(nil))
      return try await response(inbound, to: request)
    }
  }

  /// Whether an error without any part of the answer means that the server closed the connection.
  private static func hasClosed(_ error: any Error) -> Bool {
    switch error {
    case ChannelError.ioOnClosedChannel, ChannelError.eof, ChannelError.inputClosed, HTTPParserError.invalidEOFState:
      true
    case let error as IOError: [ECONNRESET, EPIPE].contains(error.errnoCode)
    default: false
    }
  }

  private static func head(of request: HTTPTransportRequest) -> HTTPRequestHead {
    var headers = HTTPHeaders(request.headers.map { ($0.key, $0.value) })
    headers.replaceOrAdd(name: "Host", value: "127.0.0.1")
    headers.replaceOrAdd(name: "Connection", value: "close")
    if request.body != nil || request.method != "GET" {
      headers.replaceOrAdd(name: "Content-Length", value: "\(request.body?.count ?? 0)")
    }
    let path = request.url.path(percentEncoded: true)
    let query = request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
    return HTTPRequestHead(
      version: .http1_1, method: HTTPMethod(rawValue: request.method), uri: (path.isEmpty ? "/" : path) + query,
      headers: headers)
  }

  private static func response(
    _ parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>, to request: HTTPTransportRequest
  ) async throws -> HTTPTransportResponse {
    let limit = request.maximumResponseBytes
    var (status, headers, body) = (0, [:] as [String: String], [] as [UInt8])
    func answer(isCut: Bool) -> HTTPTransportResponse {
      HTTPTransportResponse(status: status, headers: headers, body: Array(body.prefix(limit)), isCut: isCut)
    }
    do {
      for try await part in parts {
        switch part {
        case .head(let head):
          status = Int(head.status.code)
          headers = Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }) { $0 + ", " + $1 }
        case .body(let bytes):
          body.append(contentsOf: bytes.readableBytesView.prefix(limit - body.count + 1))
          guard body.count > limit else { continue }
          guard request.cutsLongResponse else { throw HTTPTransportError.responseTooLarge(limit: limit) }
          return answer(isCut: true)
        case .end: return answer(isCut: false)
        }
      }
    } catch  where status != 0 && !(error is HTTPTransportError) {
      throw HTTPTransportError.connectionFailed(String(describing: error))
    }
    throw status == 0
      ? HTTPTransportError.connectionClosed : .connectionFailed("the connection ended before the answer did")
  }
}
