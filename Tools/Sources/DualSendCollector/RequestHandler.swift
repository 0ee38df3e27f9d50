import DualSendCore
import DualSendHTTPServer

/// Routes requests to the events or the documents.
struct RequestHandler: Sendable {
  let eventsPath: String
  let intake: EventIntake
  let documents: ConfigDocuments

  func answer(_ request: HTTPServerRequest) async throws -> HTTPServerAnswer? {
    let head = request.head
    let path = String(head.path)
    let answer: Answer
    switch (head.method, path) {
    case ("POST", _) where path.droppingSlash == eventsPath.droppingSlash:
      let head = RequestHead(
        contentType: head[header: "Content-Type"], contentEncoding: head[header: "Content-Encoding"],
        authorization: head[header: "Authorization"])
      answer = await intake.answer(body: request.body, head)
    case (_, _) where path.droppingSlash == eventsPath.droppingSlash:
      answer = .json(405, ["error": "events come by POST"])
    case ("GET", _):
      if let parts = await documents.updates(path: path, lastEventID: head[header: "Last-Event-ID"]) {
        return HTTPServerAnswer(
          status: 200, headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-cache"],
          body: .parts(length: nil) { write in for await part in parts { try await write(part) } })
      }
      answer = await documents.answer(path: path, ifNoneMatch: head[header: "If-None-Match"])
    default:
      answer = .json(405, ["error": "documents go by GET"])
    }
    return try await answer.onTheWire()
  }
}

extension Answer {
  /// The response to send; `nil` to close the connection.
  fileprivate func onTheWire() async throws -> HTTPServerAnswer? {
    func parts(_ send: @escaping @Sendable (HTTPServerAnswer.Write) async throws -> Void) -> HTTPServerAnswer {
      HTTPServerAnswer(status: status, headers: headers, body: .parts(length: body.count, send))
    }
    switch delivery {
    case .nothing: return nil
    case .half:
      return parts { [body] write in
        try await write(Array(body.prefix(body.count / 2)))
        throw CancellationError()
      }
    case .dripping(let pause):
      return parts { [body] write in
        for byte in body {
          try await Task.sleep(for: pause)
          try await write([byte])
        }
      }
    case .after(let time): try await Task.sleep(for: time)
    case .whole: break
    }
    return HTTPServerAnswer(status: status, headers: headers, body: .bytes(body))
  }
}

extension String {
  /// The path without a trailing slash, which vendors ignore.
  fileprivate var droppingSlash: Substring {
    last == "/" ? dropLast() : self[...]
  }
}
