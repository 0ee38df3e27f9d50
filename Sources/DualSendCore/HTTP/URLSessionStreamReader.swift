import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Reads the only response of a session: delivers its head once, then its body in chunks.
final class URLSessionStreamReader: NSObject, URLSessionDataDelegate {
  typealias Head = Result<HTTPTransportStream, HTTPTransportError>

  private let answer = Locked<(@Sendable (Head) -> Void)?>(nil)
  private let body: AsyncThrowingStream<[UInt8], any Error>
  private let parts: AsyncThrowingStream<[UInt8], any Error>.Continuation

  override init() {
    (body, parts) = AsyncThrowingStream.makeStream(
      of: [UInt8].self, bufferingPolicy: .bufferingOldest(HTTPTransportStream.maximumWaitingParts))
    super.init()
  }

  func begin(_ task: URLSessionTask, answer: @escaping @Sendable (Head) -> Void) {
    self.answer.withLock { $0 = answer }
    parts.onTermination = { _ in task.cancel() }
  }

  func fail(_ task: URLSessionTask, _ error: HTTPTransportError) {
    // After the head is delivered, only its reader ends the stream.
    guard let answer = takeAnswer() else { return }
    answer(.failure(error))
    task.cancel()
  }

  private func takeAnswer() -> (@Sendable (Head) -> Void)? {
    answer.withLock { answer in
      defer { answer = nil }
      return answer
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

  /// The redirect itself is the response; ``Redirect`` follows it.
  func urlSession(
    _: URLSession, task: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse, newRequest _: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}
