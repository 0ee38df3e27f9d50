public import struct Foundation.URL

/// Sends one HTTP request and answers with what came back, whatever its status.
///
/// The package reaches the network only through this. Adopters who have a network layer of their own conform it;
/// everybody else uses ``URLSessionTransport``.
public protocol HTTPTransport: Sendable {
  /// Sends the request.
  ///
  /// - Throws: ``HTTPTransportError`` when there is no usable answer. Cancelling the task ends the request.
  func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse

  /// Sends the request and returns as soon as the head of the answer is there; the body follows.
  ///
  /// Only live updates of a rollout need this. By default it throws, and updates come by polling alone.
  ///
  /// - Throws: ``HTTPTransportError`` when there is no answer. The request's time-out counts to the head of the answer.
  func stream(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream
}

extension HTTPTransport {
  /// Throws: this transport reads no body as it comes.
  public func stream(_: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream {
    throw .connectionFailed("this transport cannot stream")
  }
}

/// A request and the bounds within which it must be answered.
public struct HTTPTransportRequest: Sendable {
  /// The method, in capitals.
  public var method: String
  /// Where to.
  public var url: URL
  /// Header fields by name.
  public var headers: [String: String]
  /// The body; `nil` for none.
  public var body: [UInt8]?
  /// The longest time from the call to the last byte of the answer, however steadily bytes drip.
  public var timeout: Duration
  /// The longest body accepted, in bytes, counted after any content encoding is undone.
  public var maximumResponseBytes: Int
  /// Whether of a longer body the start is enough, so that the answer's status is not lost. A transport that does not
  /// know this fails with ``HTTPTransportError/responseTooLarge(limit:)``.
  public var cutsLongResponse = false
  /// Told by a transport that knows how far the request has come.
  public var progress = RequestProgress()

  /// Creates a request; by default 30 s and 1 MiB.
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

/// An answer.
public struct HTTPTransportResponse: Sendable {
  /// The status code, 100…599.
  public let status: Int
  /// The body, any content encoding undone.
  public let body: [UInt8]
  /// Whether the body is only the start of what came; see ``HTTPTransportRequest/cutsLongResponse``.
  public let isCut: Bool
  private let headers: [String: String]

  /// Creates an answer.
  public init(status: Int, headers: [String: String] = [:], body: [UInt8] = [], isCut: Bool = false) {
    self.status = status
    self.body = body
    self.isCut = isCut
    self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $0 + ", " + $1 })
  }

  /// A header field's value; the name's case does not count.
  public func header(_ name: String) -> String? {
    headers[name.lowercased()]
  }
}

/// Why there is no answer. Never holds anything of the request's body.
public enum HTTPTransportError: Error, Sendable, Hashable {
  /// The whole exchange took longer than the request allows.
  case timedOut
  /// No connection was made in time, as where packets are dropped on the way.
  case notConnected
  /// The body is longer than the request allows.
  case responseTooLarge(limit: Int)
  /// The server redirects in a way that must not be followed.
  case redirectRefused(RefusedRedirect)
  /// The server's certificate is none that the transport was told to expect.
  case untrustedServer
  /// The task was cancelled.
  case cancelled
  /// No connection, or it broke; the system's own words.
  case connectionFailed(String)
}

extension HTTPTransportError: CustomStringConvertible {
  /// One factual line.
  public var description: String {
    switch self {
    case .timedOut: "the server did not answer in time"
    case .responseTooLarge(let limit): "the answer is longer than \(limit) bytes"
    case .notConnected: "no connection to the server was made in time"
    case .redirectRefused(let redirect): redirect.description
    case .untrustedServer: "the server shows none of the certificates and keys that it must"
    case .cancelled: "the request was cancelled"
    case .connectionFailed(let reason): reason.hidingSecrets.printable(limit: PrintableText.lineLimit)
    }
  }
}

extension HTTPTransportError {
  /// What a wait of nobody in particular comes to when it ends before there is an answer.
  public init(_ miss: Deadline.Miss) {
    switch miss {
    case .timedOut: self = .timedOut
    case .cancelled: self = .cancelled
    }
  }
}
