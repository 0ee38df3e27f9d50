#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// The transport over `URLSession`.
///
/// It bounds what `URLSession` leaves open: the time of the whole exchange, the size of the body after decompression,
/// and the number of redirects. It speaks TLS 1.2 or later, and on Apple platforms only to servers that show one of its
/// ``Pin``s, if it has any. The same transport serves a tracker and a `RemoteConfigFetcher`.
///
/// On Linux it is not to be relied on for many requests: swift-corelibs-foundation now and then sends a request's header
/// and never its body (seen once in 2,000 to 20,000 requests, the more often the busier the machine), which only the
/// time-out ends. Nothing is lost, for the batch is sent again, but it waits that long. A server on Linux passes a transport
/// of its own over the HTTP client that it has.
public final class URLSessionTransport: HTTPTransport {
  private let session: URLSession
  private let exchanges: URLSessionExchanges
  private let trust: ServerTrust

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - configuration: by default an ephemeral one without cache, cookies or credentials. A minimum TLS version below
  ///     1.2 is raised.
  ///   - pins: of which a server must show one; empty leaves it at what the system trusts. With pins, nothing is sent
  ///     over plain HTTP, and nothing at all where `URLSession` has no means to check them, as on Linux.
  public init(configuration: URLSessionConfiguration? = nil, pins: [Pin] = []) {
    let configuration = ServerTrust.secured(configuration ?? Self.plainConfiguration())
    trust = ServerTrust(pins: pins)
    exchanges = URLSessionExchanges(trust: trust)
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
  }

  deinit {
    session.finishTasksAndInvalidate()
  }

  /// Sends the request; see ``HTTPTransport/send(_:)``.
  public func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
    try trust.admit(request)
    let task = session.dataTask(with: Self.urlRequest(request))
    return try await Deadline(request.timeout).run(orThrow: request.progress.failure) {
      [exchanges] () async throws(HTTPTransportError) in
      try await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          exchanges.begin(task, for: request) { continuation.resume(returning: $0) }
          task.resume()
          if Task.isCancelled { exchanges.fail(task, .cancelled) }
        }
      } onCancel: {
        exchanges.fail(task, .cancelled)
      }.get()
    }
  }

  /// Opens a stream; see ``HTTPTransport/stream(_:)``. Each has a session of its own, which ends with it.
  public func stream(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream {
    try trust.admit(request)
    // The body goes on for hours; what bounds the wait for its head is the deadline below.
    var urlRequest = Self.urlRequest(request)
    urlRequest.timeoutInterval = 86_400
    let reader = URLSessionStreamReader(trust: trust)
    let session = URLSession(
      configuration: ServerTrust.secured(Self.plainConfiguration()), delegate: reader, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let task = session.dataTask(with: urlRequest)
    return try await Deadline(request.timeout).run(orThrow: HTTPTransportError.init) {
      () async throws(HTTPTransportError) in
      try await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          reader.begin(task) { continuation.resume(returning: $0) }
          task.resume()
          if Task.isCancelled { reader.fail(task, .cancelled) }
        }
      } onCancel: {
        reader.fail(task, .cancelled)
      }.get()
    }
  }

  private static func plainConfiguration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    return configuration
  }

  private static func urlRequest(_ request: HTTPTransportRequest) -> URLRequest {
    var result = URLRequest(url: request.url, timeoutInterval: request.timeout.inSeconds)
    result.httpMethod = request.method
    for (name, value) in request.headers { result.setValue(value, forHTTPHeaderField: name) }
    result.httpBody = request.body.map { Data($0) }
    #if canImport(FoundationNetworking)
      // swift-corelibs-foundation cannot rewind a body: where the server closes a reused connection without an answer,
      // its request neither fails nor ends, and keeps a core busy. A new connection for each request fails at once.
      result.setValue("close", forHTTPHeaderField: "Connection")
    #endif
    return result
  }
}
