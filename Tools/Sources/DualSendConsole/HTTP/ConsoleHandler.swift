import DualSendCore
import DualSendHTTPServer

/// Lets a request in or not, and gives every answer the header fields that all of them have.
struct ConsoleHandler: Sendable {
  /// No script, style or address but those of the page itself.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    + "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  let entry: RequestGuard
  let router: ConsoleRouter

  /// How long the body of a request may be, in bytes; nobody who is not let in has any.
  func bodyLimit(_ head: HTTPServerRequest.Head) -> Int {
    guard let path = try? path(of: head) else { return 0 }
    let isBatch = path == "events" || path == "mirror"
    return isBatch ? router.configuration.maximumBatchBytes : router.configuration.maximumRequestBytes
  }

  private func path(of head: HTTPServerRequest.Head) throws(RequestGuard.Refusal) -> Substring {
    try entry.pathBelowToken(String(head.path), host: head[header: "Host"], origin: head[header: "Origin"])
  }

  func answer(_ request: HTTPServerRequest) async -> HTTPServerAnswer {
    let head = request.head
    let path: Substring
    do throws(RequestGuard.Refusal) { path = try self.path(of: head) } catch { return answer(error.failure.answer) }
    if head.method == "GET", path == "api/live/stream" {
      guard await router.pairs.canBeFollowed else {
        let count = router.configuration.maximumStreams
        return answer(ConsoleFailure(503, "\(count) pages follow the events already", help: "close some").answer)
      }
      return stream(head)
    }
    guard let body = request.body else {
      return answer(ConsoleFailure(413, "the body is longer than \(bodyLimit(head)) bytes").answer)
    }
    return answer(
      await router.answer(
        ConsoleRouter.Request(
          method: head.method, path: path, query: head.query, body: body, encoding: head[header: "Content-Encoding"],
          contentType: head[header: "Content-Type"], hasOrigin: head[header: "Origin"] != nil,
          ifNoneMatch: head[header: "If-None-Match"])))
  }

  private func stream(_ head: HTTPServerRequest.Head) -> HTTPServerAnswer {
    let seen = head[header: "Last-Event-ID"] ?? head.query["after"]
    let stream = LiveStream(
      of: router.pairs, after: seen.map { Int64($0) ?? 0 }, timeSource: router.configuration.timeSource)
    return HTTPServerAnswer(
      status: 200, headers: headers(["Content-Type": "text/event-stream"]),
      body: .parts(length: nil) { write in try await stream.run(write) })
  }

  private func answer(_ answer: ConsoleAnswer) -> HTTPServerAnswer {
    HTTPServerAnswer(status: answer.status, headers: headers(answer.headers), body: .bytes(answer.body))
  }

  private func headers(_ own: [String: String]) -> [String: String] {
    let common = [
      "Content-Security-Policy": Self.policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
      "Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin",
    ]
    return common.merging(own) { _, own in own }
  }
}

extension RequestGuard.Refusal {
  fileprivate var failure: ConsoleFailure {
    switch self {
    case .unknownAddress: ConsoleFailure(404, "there is nothing at this address")
    case .foreignHost:
      ConsoleFailure(403, "the request was sent to a name that is not this console's", help: "see --allow-host")
    case .foreignOrigin: ConsoleFailure(403, "the request comes from a page of another site")
    }
  }
}
