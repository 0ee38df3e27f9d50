import DualSendCore
import FlyingFox
import Foundation

/// Routes a request to the events or the documents, and puts the answer onto the wire as it says.
struct RequestHandler: HTTPHandler {
  let eventsPath: String
  let intake: EventIntake
  let documents: ConfigDocuments

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    // An unread body would be taken for the next request on the connection.
    var body: [UInt8] = []
    body.reserveCapacity(request.bodySequence.count ?? 0)
    for try await chunk in request.bodySequence { body.append(contentsOf: chunk) }

    let answer: Answer
    switch (request.method, request.path) {
    case (.POST, let path) where path.droppingSlash == eventsPath.droppingSlash:
      let head = RequestHead(
        contentType: request.headers[.contentType], contentEncoding: request.headers[.contentEncoding],
        authorization: request.headers[.authorization])
      answer = await intake.answer(body: body, head)
    case (_, let path) where path.droppingSlash == eventsPath.droppingSlash:
      answer = .json(405, ["error": "events come by POST"])
    case (.GET, let path):
      if let parts = await documents.updates(path: path, lastEventID: request.headers[HTTPHeader("Last-Event-ID")]) {
        let headers: HTTPHeaders = [
          .contentType: "text/event-stream", HTTPHeader("Cache-Control"): "no-cache",
        ]
        return HTTPResponse(
          statusCode: .ok, headers: headers, body: HTTPBodySequence(from: EventStreamBody(parts: parts)))
      }
      answer = await documents.answer(path: path, ifNoneMatch: request.headers[.ifNoneMatch])
    default:
      answer = .json(405, ["error": "documents go by GET"])
    }
    return try await response(answer)
  }

  private func response(_ answer: Answer) async throws -> HTTPResponse {
    // Some clients, FlyingFox's own among them, refuse an empty phrase.
    let status = HTTPStatusCode(answer.status, phrase: answer.status < 400 ? "OK" : "Error")
    var headers = HTTPHeaders()
    for (name, value) in answer.headers { headers[HTTPHeader(name)] = value }
    let body = Data(answer.body)
    switch answer.delivery {
    case .whole:
      return HTTPResponse(statusCode: status, headers: headers, body: body)
    case .after(let time):
      try await Task.sleep(for: time)
      return HTTPResponse(statusCode: status, headers: headers, body: body)
    case .nothing:
      return HTTPResponse(webSocket: RefusedUpgrade())
    case .half:
      let half = UnevenBody(bytes: answer.body, pause: nil, cutAt: answer.body.count / 2)
      return HTTPResponse(
        statusCode: status, headers: headers, body: HTTPBodySequence(from: half, count: answer.body.count))
    case .dripping(let pause):
      let drip = UnevenBody(bytes: answer.body, pause: pause, cutAt: nil)
      return HTTPResponse(
        statusCode: status, headers: headers, body: HTTPBodySequence(from: drip, count: answer.body.count))
    }
  }
}

extension String {
  /// The path without a slash at its end, which vendors take for the same.
  fileprivate var droppingSlash: Substring {
    last == "/" ? dropLast() : self[...]
  }
}

/// Makes the server close the connection without a byte: it asks a web socket's handler before it writes the answer,
/// and an error there ends the connection.
private struct RefusedUpgrade: WSHandler {
  func makeFrames(for _: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
    throw CancellationError()
  }
}
