#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

#if canImport(Security)
  import Security
#endif

/// The transport over `URLSession`.
///
/// Limits the time of the whole exchange, the size of the decoded body, and the number of redirects. Requires TLS 1.2
/// or later on Apple platforms; on Linux, the system's libcurl and OpenSSL decide. One transport can serve a tracker and
/// a `RemoteConfigFetcher`.
///
/// Not recommended on Linux servers: swift-corelibs-foundation sometimes sends a request's header without its body
/// (seen once in 2,000 to 20,000 requests, more often under load), and only the timeout ends it. No events are lost,
/// because the batch is sent again, but delivery waits that long. On a Linux server, conform another HTTP client to
/// ``HTTPTransport``.
public final class URLSessionTransport: HTTPTransport {
  /// The longest time without data in a stream.
  private static let longestSilence: TimeInterval = 86_400
  /// The longest time of a stream: the default of `URLSession`.
  private static let longestStream: TimeInterval = 604_800

  private let session: URLSession
  private let exchanges = URLSessionExchanges()

  /// Creates a transport.
  ///
  /// - Parameter configuration: by default ephemeral, without cache, cookies or credentials. A minimum TLS version
  ///   below 1.2 is raised.
  public init(configuration: URLSessionConfiguration? = nil) {
    let configuration = Self.secured(configuration ?? Self.plainConfiguration())
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
  }

  deinit {
    session.finishTasksAndInvalidate()
  }

  /// Sends the request; see ``HTTPTransport/send(_:)``.
  public func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
    try await Deadline(request.timeout).run(orThrow: HTTPTransportError.init) {
      [session, exchanges] () async throws(HTTPTransportError) in
      try await Redirect.followed(from: request, head: { ($0.status, $0.header("Location")) }) {
        request async throws(HTTPTransportError) in
        let task = session.dataTask(with: Self.urlRequest(request))
        return try await withTaskCancellationHandler {
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
  }

  /// Opens a stream; see ``HTTPTransport/stream(_:)``. Each stream has its own session with the transport's configuration,
  /// except for the timeouts.
  public func stream(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream {
    try await Deadline(request.timeout).run(orThrow: HTTPTransportError.init) {
      [streamConfiguration] () async throws(HTTPTransportError) in
      try await Redirect.followed(from: request, head: { ($0.status, $0.header("Location")) }) {
        request async throws(HTTPTransportError) in
        // The body may go on for hours. The deadline above limits the wait for its head.
        var urlRequest = Self.urlRequest(request)
        urlRequest.timeoutInterval = Self.longestSilence
        let reader = URLSessionStreamReader()
        let session = URLSession(configuration: streamConfiguration, delegate: reader, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: urlRequest)
        return try await withTaskCancellationHandler {
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
  }

  /// The configuration of a stream's session. A request's timeout is respected unless the configuration's is shorter.
  var streamConfiguration: URLSessionConfiguration {
    // On Linux `session.configuration` is not a copy.
    guard let result = session.configuration.copy() as? URLSessionConfiguration else { return session.configuration }
    result.timeoutIntervalForRequest = Self.longestSilence
    result.timeoutIntervalForResource = Self.longestStream
    return result
  }

  /// Raises a configuration's minimum to TLS 1.2, as RFC 8996 requires. On Linux there is no such setting.
  static func secured(_ configuration: URLSessionConfiguration) -> URLSessionConfiguration {
    #if canImport(Security)
      let oldest = tls_protocol_version_t.TLSv12
      guard configuration.tlsMinimumSupportedProtocolVersion.rawValue < oldest.rawValue,
        let secured = configuration.copy() as? URLSessionConfiguration
      else { return configuration }
      secured.tlsMinimumSupportedProtocolVersion = oldest
      return secured
    #else
      return configuration
    #endif
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
      // swift-corelibs-foundation cannot rewind a body: if the server closes a reused connection without a response,
      // the request never ends and keeps a core busy. On a new connection it fails at once.
      result.setValue("close", forHTTPHeaderField: "Connection")
    #endif
    return result
  }
}
