import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Reads the only response of a session: delivers its head once, then its body in chunks.
final class URLSessionStreamReader: NSObject, URLSessionDataDelegate {
  typealias Head = Result<HTTPTransportStream, HTTPTransportError>

  private struct State: Sendable {
    var answer: (@Sendable (Head) -> Void)?
    var redirects = 0
  }

  private let state = Locked(State())
  private let body: AsyncThrowingStream<[UInt8], any Error>
  private let parts: AsyncThrowingStream<[UInt8], any Error>.Continuation

  override init() {
    (body, parts) = AsyncThrowingStream.makeStream(
      of: [UInt8].self, bufferingPolicy: .bufferingOldest(HTTPTransportStream.maximumWaitingParts))
    super.init()
  }

  func begin(_ task: URLSessionTask, answer: @escaping @Sendable (Head) -> Void) {
    state.withLock { $0.answer = answer }
    parts.onTermination = { _ in task.cancel() }
  }

  func fail(_ task: URLSessionTask, _ error: HTTPTransportError) {
    // After the head is delivered, only its reader ends the stream.
    guard let answer = takeAnswer() else { return }
    answer(.failure(error))
    task.cancel()
  }

  private func takeAnswer() -> (@Sendable (Head) -> Void)? {
    state.withLock { state in
      defer { state.answer = nil }
      return state.answer
    }
  }

  func urlSession(
    _: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    guard let response = response as? HTTPURLResponse, let answer = takeAnswer() else {
      return completionHandler(.cancel)
    }
    let headers = response.allHeaderFields.map { (String(describing: $0.key), String(describing: $0.value)) }
    let fields = Dictionary(headers, uniquingKeysWith: { $0 + ", " + $1 })
    completionHandler(.allow)
    answer(.success(HTTPTransportStream(status: response.statusCode, headers: fields, body: body)))
  }

  func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if case .dropped = parts.yield(Array(data)) {
      parts.finish(throwing: HTTPTransportError.connectionFailed("the server sends faster than the response is read"))
      dataTask.cancel()
    }
  }

  func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let failure = error.map { URLSessionExchanges.transportError($0, isAnswered: task.response != nil) }
    takeAnswer()?(.failure(failure ?? .connectionFailed("the connection closed without an answer")))
    parts.finish(throwing: failure)
  }

  func urlSession(
    _: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let count = state.withLock { state -> Int in
      state.redirects += 1
      return state.redirects
    }
    let failure = Redirect.failure(
      of: response.statusCode, from: task.originalRequest?.url, to: request.url, losesBody: false, count: count)
    completionHandler(failure == nil ? request : nil)
    if let failure { fail(task, failure) }
  }
}
