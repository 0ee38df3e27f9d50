#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// The transport over `URLSession`.
///
/// It bounds what `URLSession` leaves open: the time of the whole exchange, the size of the body after decompression,
/// and the number of redirects.
///
/// On Linux it is not to be relied on for many requests: swift-corelibs-foundation now and then sends a request's header
/// and never its body (seen once in 2,000 to 20,000 requests, the more often the busier the machine), which only the
/// time-out ends. Nothing is lost, for the batch is sent again, but it waits that long. A server on Linux passes a transport
/// of its own over the HTTP client that it has.
public final class URLSessionTransport: HTTPTransport {
  private let session: URLSession
  private let exchanges: URLSessionExchanges

  /// Creates a transport.
  ///
  /// - Parameter configuration: by default an ephemeral one without cache, cookies or credentials.
  public init(configuration: URLSessionConfiguration? = nil) {
    let configuration = configuration ?? Self.plainConfiguration()
    exchanges = URLSessionExchanges()
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
  }

  deinit {
    session.finishTasksAndInvalidate()
  }

  /// Sends the request; see ``HTTPTransport/send(_:)``.
  public func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
    let task = session.dataTask(with: Self.urlRequest(request))
    let deadline = Task { [exchanges] in
      try await Task.sleep(for: request.timeout)
      exchanges.fail(task, .timedOut)
    }
    defer { deadline.cancel() }
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        exchanges.begin(task, maximumBytes: request.maximumResponseBytes) { continuation.resume(returning: $0) }
        task.resume()
        if Task.isCancelled { exchanges.fail(task, .cancelled) }
      }
    } onCancel: {
      exchanges.fail(task, .cancelled)
    }.get()
  }

  /// Opens a stream; see ``HTTPTransport/stream(_:)``. Each has a session of its own, which ends with it.
  public func stream(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream {
    // The body goes on for hours; what bounds the wait for its head is the deadline below.
    var urlRequest = Self.urlRequest(request)
    urlRequest.timeoutInterval = 86_400
    let reader = URLSessionStreamReader()
    let session = URLSession(configuration: Self.plainConfiguration(), delegate: reader, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let task = session.dataTask(with: urlRequest)
    let deadline = Task {
      try await Task.sleep(for: request.timeout)
      reader.fail(task, .timedOut)
    }
    defer { deadline.cancel() }
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

  private static func plainConfiguration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    return configuration
  }

  private static func urlRequest(_ request: HTTPTransportRequest) -> URLRequest {
    var result = URLRequest(url: request.url, timeoutInterval: request.timeout.seconds)
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
