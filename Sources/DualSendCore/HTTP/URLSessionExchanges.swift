import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The active exchanges of one session, by task. Completes each exactly once.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate {
  typealias Answer = Result<HTTPTransportResponse, HTTPTransportError>

  private struct Exchange: Sendable {
    var body: [UInt8] = []
    let maximumBytes: Int
    let cutsLongBody: Bool
    let answer: @Sendable (Answer) -> Void
  }

  private let exchanges = Locked<[Int: Exchange]>([:])

  func begin(
    _ task: URLSessionTask, for request: HTTPTransportRequest, answer: @escaping @Sendable (Answer) -> Void
  ) {
    let exchange = Exchange(
      maximumBytes: request.maximumResponseBytes, cutsLongBody: request.cutsLongResponse,
      answer: answer)
    exchanges.withLock { $0[task.taskIdentifier] = exchange }
  }

  func fail(_ task: URLSessionTask, _ error: HTTPTransportError) {
    end(task) { _ in .failure(error) }
    task.cancel()
  }

  private func end(_ task: URLSessionTask, _ answer: (Exchange) -> Answer) {
    guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    exchange.answer(answer(exchange))
  }

  func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let excess = exchanges.withLock { exchanges -> (limit: Int, isCut: Bool)? in
      // Read through the dictionary: copying the exchange would copy the body with each chunk.
      guard let maximum = exchanges[dataTask.taskIdentifier]?.maximumBytes else { return nil }
      let room = maximum - (exchanges[dataTask.taskIdentifier]?.body.count ?? 0)
      let isCut = exchanges[dataTask.taskIdentifier]?.cutsLongBody ?? false
      if data.count <= room || isCut { exchanges[dataTask.taskIdentifier]?.body.append(contentsOf: data.prefix(room)) }
      return data.count > room ? (maximum, isCut) : nil
    }
    guard let excess else { return }
    guard excess.isCut else { return fail(dataTask, .responseTooLarge(limit: excess.limit)) }
    end(dataTask) { Self.answer(dataTask.response, $0.body, isCut: true) }
    dataTask.cancel()
  }

  func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    end(task) { exchange in
      if let error { return .failure(Self.transportError(error, isAnswered: task.response != nil)) }
      return Self.answer(task.response, exchange.body, isCut: false)
    }
  }

  private static func answer(_ response: URLResponse?, _ body: [UInt8], isCut: Bool) -> Answer {
    guard let response = response as? HTTPURLResponse else {
      return .failure(.connectionFailed("the answer is not HTTP"))
    }
    let headers = response.allHeaderFields.map { (String(describing: $0.key), String(describing: $0.value)) }
    let fields = Dictionary(headers, uniquingKeysWith: { $0 + ", " + $1 })
    return .success(HTTPTransportResponse(status: response.statusCode, headers: fields, body: body, isCut: isCut))
  }

  /// The redirect itself is the response; ``Redirect`` follows it.
  func urlSession(
    _: URLSession, task: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse, newRequest _: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  /// - Parameter isAnswered: whether a part of the response arrived.
  static func transportError(_ error: any Error, isAnswered: Bool) -> HTTPTransportError {
    switch (error as? URLError)?.code {
    case .timedOut: .timedOut
    case .cancelled: .cancelled
    case .networkConnectionLost where !isAnswered: .connectionClosed
    #if canImport(FoundationNetworking)
      // libcurl's "empty reply from server" (CURLE_GOT_NOTHING).
      case .badServerResponse where !isAnswered: .connectionClosed
    #endif
    default: .connectionFailed(error.localizedDescription)
    }
  }
}
