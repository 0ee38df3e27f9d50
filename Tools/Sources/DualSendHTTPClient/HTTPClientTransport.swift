#if os(Linux)
  import AsyncHTTPClient
  public import DualSendCore
  public import Foundation
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NIOSSL

  /// A transport over AsyncHTTPClient, for Linux.
  ///
  /// On Linux, `URLSession` sometimes sends a request's header without its body (seen once in 2,000 to 20,000 requests,
  /// more often under load), which only the timeout ends. All transports without pins and trust roots share one
  /// connection pool.
  ///
  /// Requires TLS 1.2 or later.
  public struct HTTPClientTransport: HTTPTransport {
    /// The longest time for connecting. A request with a shorter timeout ends sooner.
    public static let connectTimeout = Duration.seconds(8)

    private let connections: ClientConnections
    private let pins: [URLSessionTransport.Pin]

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - pins: the server's own certificate must match one, and must also be trusted; the rest of its chain does not
    ///     count. With pins, plain HTTP is refused.
    ///   - trustRoots: a file of PEM certificates to trust instead of the system's.
    public init(pins: [URLSessionTransport.Pin] = [], trustRoots: URL? = nil) {
      self.pins = pins
      connections =
        pins.isEmpty && trustRoots == nil ? .shared : ClientConnections(pins: pins, trustRoots: trustRoots)
    }

    /// Sends the request; see ``HTTPTransport/send(_:)``.
    public func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
      try admit(request)
      return try await Deadline(request.timeout).run(orThrow: request.progress.failure) {
        () async throws(HTTPTransportError) in
        do { return try await followed(request) } catch { throw Self.transportError(error) }
      }
    }

    /// Opens a stream; see ``HTTPTransport/stream(_:)``.
    public func stream(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream {
      try admit(request)
      return try await Deadline(request.timeout).run(orThrow: request.progress.failure) {
        () async throws(HTTPTransportError) in
        do {
          let answer = try await connections.client.execute(Self.message(request), deadline: .distantFuture)
          return HTTPTransportStream(
            status: Int(answer.status.code), headers: Self.fields(answer.headers), body: Self.parts(of: answer.body))
        } catch { throw Self.transportError(error) }
      }
    }

    private func admit(_ request: HTTPTransportRequest) throws(HTTPTransportError) {
      if !pins.isEmpty, request.url.scheme?.lowercased() != "https" {
        throw .connectionFailed("pins require HTTPS")
      }
    }

    private static func parts(of body: HTTPClientResponse.Body) -> AsyncThrowingStream<[UInt8], any Error> {
      let (parts, continuation) = AsyncThrowingStream.makeStream(
        of: [UInt8].self, bufferingPolicy: .bufferingOldest(HTTPTransportStream.maximumWaitingParts))
      let reader = Task {
        do {
          for try await part in body {
            if case .dropped = continuation.yield(Array(part.readableBytesView)) {
              throw HTTPTransportError.connectionFailed("the server sends faster than the response is read")
            }
          }
          continuation.finish()
        } catch { continuation.finish(throwing: Self.transportError(error)) }
      }
      continuation.onTermination = { _ in reader.cancel() }
      return parts
    }

    private static func fields(_ headers: HTTPHeaders) -> [String: String] {
      Dictionary(headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $0 + ", " + $1 })
    }

    private static func message(_ request: HTTPTransportRequest) -> HTTPClientRequest {
      var message = HTTPClientRequest(url: request.url.absoluteString)
      message.method = HTTPMethod(rawValue: request.method)
      for (name, value) in request.headers { message.headers.replaceOrAdd(name: name, value: value) }
      if let body = request.body, !body.isEmpty {
        request.progress.reached(.connecting)
        let watched = WatchedBody(bytes: body) { request.progress.reached(.connected) }
        message.body = .bytes(watched, length: .known(Int64(body.count)))
      }
      return message
    }

    private func followed(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
      var request = request
      var redirects = 0
      while true {
        let response = try await exchange(request)
        guard let next = try Redirect.next(after: response, to: request) else { return response }
        redirects += 1
        if redirects > Redirect.limit { throw Redirect.endless(response.status, to: next.url) }
        request = next
      }
    }

    private func exchange(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
      var message = Self.message(request)
      if !message.headers.contains(name: "Accept-Encoding") {
        message.headers.add(name: "Accept-Encoding", value: "gzip, deflate")
      }
      let answer = try await connections.client.execute(message, deadline: .distantFuture)
      let (body, isCut) = try await Self.body(of: answer, for: request)
      // A cancelled body ends like a complete one.
      try Task.checkCancellation()
      let headers = Self.fields(answer.headers)
      let decoded = try Self.decoded(body, isCut: isCut, headers["content-encoding"], for: request)
      return HTTPTransportResponse(
        status: Int(answer.status.code), headers: headers, body: decoded.body, isCut: decoded.isCut)
    }

    /// The body, and whether it is truncated.
    private static func body(
      of answer: HTTPClientResponse, for request: HTTPTransportRequest
    ) async throws -> (body: [UInt8], isCut: Bool) {
      let limit = request.maximumResponseBytes
      var body: [UInt8] = []
      for try await part in answer.body {
        let room = limit - body.count
        guard part.readableBytes <= room || request.cutsLongResponse else {
          throw HTTPTransportError.responseTooLarge(limit: limit)
        }
        body.append(contentsOf: part.readableBytesView.prefix(room))
        if part.readableBytes > room { return (body, true) }
      }
      return (body, false)
    }

    private static func decoded(
      _ body: [UInt8], isCut: Bool, _ encoding: String?, for request: HTTPTransportRequest
    ) throws(HTTPTransportError) -> (body: [UInt8], isCut: Bool) {
      guard !body.isEmpty, let encoding = encoding?.lowercased(), Zlib.Format(rawValue: encoding) != nil else {
        return (body, isCut)
      }
      let limit = request.maximumResponseBytes
      if isCut { return (Zlib.start(of: body, limit: limit), true) }
      do { return (try Zlib.decompress(body, limit: limit), false) } catch {
        switch error {
        case .tooLarge where request.cutsLongResponse: return (Zlib.start(of: body, limit: limit), true)
        case .tooLarge: throw .responseTooLarge(limit: limit)
        case .corrupt, .outOfMemory: throw .connectionFailed("the answer's \(encoding) is broken")
        }
      }
    }

    private static func transportError(_ error: any Error) -> HTTPTransportError {
      switch error {
      case let error as HTTPTransportError: error
      case is CancellationError: .cancelled
      case let error as HTTPClientError where error == .cancelled: .cancelled
      case let error as HTTPClientError where notConnected.contains(error): .notConnected
      case let error as NIOConnectionError:
        .connectionFailed(words(error.connectionErrors.first?.error ?? error))
      default: .connectionFailed(words(error))
      }
    }

    /// The system's message, without the source positions in TLS errors.
    private static func words(_ error: any Error) -> String {
      String(describing: error).replacing(#/ at [^ \])]+:\d+/#, with: "")
    }

    private static let notConnected: [HTTPClientError] = [
      .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout,
    ]
  }
#endif
