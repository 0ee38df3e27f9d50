public import struct Foundation.URL

/// Sends one HTTP request and returns the response, whatever its status.
///
/// All network access goes through this protocol. Conform your own network layer to it, or use ``URLSessionTransport``.
public protocol HTTPTransport: Sendable {
  /// Sends the request.
  ///
  /// - Throws: ``HTTPTransportError`` if there is no usable response. Cancelling the task cancels the request.
  func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse

  /// Sends the request and returns when the response's head has arrived; the body follows.
  ///
  /// Only live updates of a rollout need this. The default implementation throws; updates then come by polling.
  ///
  /// - Throws: ``HTTPTransportError`` if there is no response. The request's timeout applies to the head.
  func stream(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream
}

extension HTTPTransport {
  /// Sends an idempotent request, such as a GET.
  ///
  /// Servers close idle connections at any time. If the connection ends before any byte of the response, the request is
  /// sent again, at most three times in all (RFC 9110, section 9.2.2).
  public func sendIdempotent(
    _ request: HTTPTransportRequest
  ) async throws(HTTPTransportError) -> HTTPTransportResponse {
    for _ in 1..<3 {
      do { return try await send(request) } catch {
        guard error == .connectionClosed else { throw error }
      }
    }
    return try await send(request)
  }

  /// Throws: this transport does not support streaming.
  public func stream(_: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream {
    throw .connectionFailed("this transport cannot stream")
  }
}

/// A request and its limits.
public struct HTTPTransportRequest: Sendable {
  /// The method, in upper case.
  public var method: String
  /// The URL.
  public var url: URL
  /// Header fields by name.
  public var headers: [String: String]
  /// The body; `nil` for none.
  public var body: [UInt8]?
  /// The longest time from the call to the last byte of the response.
  public var timeout: Duration
  /// The longest response body accepted, in bytes after decoding.
  public var maximumResponseBytes: Int
  /// Whether to truncate a longer body instead of failing, so that the status is not lost. A transport without this
  /// option fails with ``HTTPTransportError/responseTooLarge(limit:)``.
  public var cutsLongResponse = false

  /// Creates a request. By default the timeout is 30 s and the largest response body 1 MiB.
  public init(
    method: String, url: URL, headers: [String: String] = [:], body: [UInt8]? = nil, timeout: Duration = .seconds(30),
    maximumResponseBytes: Int = 1 << 20
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.maximumResponseBytes = maximumResponseBytes
  }
}

/// A response.
public struct HTTPTransportResponse: Sendable {
  /// The status code, 100…599.
  public let status: Int
  /// The body, decoded.
  public let body: [UInt8]
  /// Whether the body was truncated; see ``HTTPTransportRequest/cutsLongResponse``.
  public let isCut: Bool
  private let headers: [String: String]

  /// Creates a response.
  public init(status: Int, headers: [String: String] = [:], body: [UInt8] = [], isCut: Bool = false) {
    self.status = status
    self.body = body
    self.isCut = isCut
    self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $0 + ", " + $1 })
  }

  /// The value of a header field. The name is case-insensitive.
  public func header(_ name: String) -> String? {
    headers[name.lowercased()]
  }
}

/// Why there is no response. Never holds any part of the request's body.
public enum HTTPTransportError: Error, Sendable, Hashable {
  /// The exchange took longer than the request's timeout, or no connection was made in that time.
  case timedOut
  /// The body is longer than the request allows.
  case responseTooLarge(limit: Int)
  /// The server sent a redirect that must not be followed.
  case redirectRefused(RefusedRedirect)
  /// The task was cancelled.
  case cancelled
  /// The server closed the connection before any byte of the response. It may have received the request.
  case connectionClosed
  /// The connection failed. Holds the system's message.
  case connectionFailed(String)
}

extension HTTPTransportError: CustomStringConvertible {
  /// One factual line.
  public var description: String {
    switch self {
    case .timedOut: "the server did not answer in time"
    case .responseTooLarge(let limit): "the answer is longer than \(limit) bytes"
    case .redirectRefused(let redirect): redirect.description
    case .cancelled: "the request was cancelled"
    case .connectionClosed: "the server closed the connection before it answered"
    case .connectionFailed(let reason): reason.hidingSecrets.printable(limit: PrintableText.lineLimit)
    }
  }
}

extension HTTPTransportError {
  /// The error for a wait that ended before the response.
  package init(_ miss: Deadline.Miss) {
    switch miss {
    case .timedOut: self = .timedOut
    case .cancelled: self = .cancelled
    }
  }
}

/// A response whose body is read as it arrives, until the server closes it.
public struct HTTPTransportStream: Sendable {
  /// The status code, 100…599.
  public let status: Int
  /// The body in chunks as they arrive. Ends with the connection. Cancelling its reader cancels the request.
  public let body: AsyncThrowingStream<[UInt8], any Error>
  private let head: HTTPTransportResponse

  /// Creates a stream.
  public init(status: Int, headers: [String: String] = [:], body: AsyncThrowingStream<[UInt8], any Error>) {
    self.status = status
    self.body = body
    head = HTTPTransportResponse(status: status, headers: headers)
  }

  /// The value of a header field. The name is case-insensitive.
  public func header(_ name: String) -> String? {
    head.header(name)
  }

  /// The most unread chunks. Beyond this the connection is closed, so that a flooding server cannot fill memory.
  public static let maximumWaitingParts = 64
}
