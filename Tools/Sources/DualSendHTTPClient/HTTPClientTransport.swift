#if os(Linux)
  import AsyncHTTPClient
  @_spi(Tools) public import DualSendCore
  import Foundation
  import NIOCore
  import NIOHTTP1
  import NIOPosix

  /// The transport over AsyncHTTPClient, for Linux.
  ///
  /// There `URLSession` loses requests: when many follow one another, now and then it sends a request's header and never
  /// its body, which only the timeout ends (seen once in 2,000 to 20,000 requests, the more often the busier the
  /// machine). All transports share one pool of connections.
  public struct HTTPClientTransport: HTTPTransport {
    // One for the process: a client must be shut down before it is let go of, and nobody tells a transport when that is.
    private static let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)

    private static var configuration: HTTPClient.Configuration {
      var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
      // When to try again is the caller's business, who also wants to know why it failed.
      configuration.connectionPool.retryConnectionEstablishment = false
      // Each request's own timeout ends it sooner.
      configuration.timeout.connect = .hours(24)
      return configuration
    }

    /// Creates a transport.
    public init() {}

    /// Sends the request; see ``HTTPTransport/send(_:)``.
    public func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
      do {
        return try await withThrowingTaskGroup(of: HTTPTransportResponse?.self) { group in
          group.addTask { try await Self.followed(request) }
          group.addTask {
            try await Task.sleep(for: request.timeout)
            return nil
          }
          defer { group.cancelAll() }
          guard let first = try await group.next(), let response = first else { throw HTTPTransportError.timedOut }
          return response
        }
      } catch {
        throw Self.transportError(error)
      }
    }

    /// Opens a stream; see ``HTTPTransport/stream(_:)``.
    public func stream(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream {
      let (body, parts) = AsyncThrowingStream.makeStream(
        of: [UInt8].self, bufferingPolicy: .bufferingOldest(HTTPTransportStream.maximumWaitingParts))
      do {
        let answer = try await withThrowingTaskGroup(of: HTTPClientResponse?.self) { group in
          group.addTask { try await Self.client.execute(Self.message(request), deadline: .distantFuture) }
          group.addTask {
            try await Task.sleep(for: request.timeout)
            return nil
          }
          defer { group.cancelAll() }
          guard let first = try await group.next(), let answer = first else { throw HTTPTransportError.timedOut }
          return answer
        }
        let reader = Task {
          do {
            for try await part in answer.body {
              if case .dropped = parts.yield(Array(part.readableBytesView)) {
                throw HTTPTransportError.connectionFailed("the server sends faster than its answer is read")
              }
            }
            parts.finish()
          } catch {
            parts.finish(throwing: Self.transportError(error))
          }
        }
        parts.onTermination = { _ in reader.cancel() }
        let headers = Dictionary(
          answer.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $0 + ", " + $1 })
        return HTTPTransportStream(status: Int(answer.status.code), headers: headers, body: body)
      } catch {
        throw Self.transportError(error)
      }
    }

    private static func message(_ request: HTTPTransportRequest) -> HTTPClientRequest {
      var message = HTTPClientRequest(url: request.url.absoluteString)
      message.method = HTTPMethod(rawValue: request.method)
      for (name, value) in request.headers { message.headers.replaceOrAdd(name: name, value: value) }
      message.body = request.body.map { .bytes($0) }
      return message
    }

    private static func followed(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
      var request = request
      for _ in 0...Redirect.limit {
        let response = try await exchange(request)
        guard let next = try Redirect.next(after: response, to: request) else { return response }
        request = next
      }
      throw HTTPTransportError.redirectRefused
    }

    private static func exchange(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
      var message = message(request)
      if !message.headers.contains(name: "Accept-Encoding") {
        message.headers.add(name: "Accept-Encoding", value: "gzip, deflate")
      }
      let answer = try await client.execute(message, deadline: .distantFuture)
      let body = Array(try await answer.body.collect(upTo: request.maximumResponseBytes).readableBytesView)
      // A cancelled body ends like one that is complete.
      try Task.checkCancellation()
      let headers = Dictionary(
        answer.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $0 + ", " + $1 })
      return HTTPTransportResponse(
        status: Int(answer.status.code), headers: headers,
        body: try decoded(body, headers["content-encoding"], limit: request.maximumResponseBytes))
    }

    private static func decoded(
      _ body: [UInt8], _ encoding: String?, limit: Int
    ) throws(HTTPTransportError) -> [UInt8] {
      guard !body.isEmpty, let encoding = encoding?.lowercased(), Zlib.Format(rawValue: encoding) != nil else {
        return body
      }
      do { return try Zlib.decompress(body, limit: limit) } catch {
        switch error {
        case .tooLarge: throw .responseTooLarge(limit: limit)
        case .corrupt: throw .connectionFailed("the answer's \(encoding) is broken")
        }
      }
    }

    private static func transportError(_ error: any Error) -> HTTPTransportError {
      switch error {
      case let error as HTTPTransportError: error
      case let error as NIOTooManyBytesError: .responseTooLarge(limit: error.maxBytes ?? 0)
      case is CancellationError: .cancelled
      case let error as HTTPClientError where error == .cancelled: .cancelled
      case let error as NIOConnectionError:
        .connectionFailed(String(describing: error.connectionErrors.first?.error ?? error))
      default: .connectionFailed(String(describing: error))
      }
    }
  }
#endif
