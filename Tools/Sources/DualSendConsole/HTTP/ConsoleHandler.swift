import DualSendCore
import DualSendHTTPServer
import Foundation

/// Accepts or refuses a request, and adds the common header fields to every answer.
struct ConsoleHandler: Sendable {
  /// Allows scripts, styles and connections only from the page's own origin.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    + "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  let entry: RequestGuard
  let router: ConsoleRouter
  let configuration: ConsoleConfiguration

  /// The size limit of a request's body in bytes; 0 for refused requests.
  func bodyLimit(_ head: HTTPServerRequest.Head) -> Int {
    guard let path = try? path(of: head) else { return 0 }
    let isFromApp = router.route(to: path)?.client == .app
    return isFromApp ? configuration.maximumBatchBytes : configuration.maximumRequestBytes
  }

  /// The parts of the path below the token, decoded.
  private func path(of head: HTTPServerRequest.Head) throws(RequestGuard.Refusal) -> [String] {
    try entry.pathBelowToken(String(head.path), host: head[header: "Host"], origin: head[header: "Origin"])
      .split(separator: "/", omittingEmptySubsequences: false).map { $0.removingPercentEncoding ?? String($0) }
  }

  func answer(_ request: HTTPServerRequest) async -> HTTPServerAnswer {
    let head = request.head
    let path: [String]
    do throws(RequestGuard.Refusal) { path = try self.path(of: head) } catch { return answer(error.failure.answer) }
    guard let body = request.body else {
      return answer(ConsoleFailure(413, "the body is longer than \(bodyLimit(head)) bytes").answer)
    }
    let headers = ConsoleRequest.Headers(
      contentEncoding: head[header: "Content-Encoding"], contentType: head[header: "Content-Type"],
      ifNoneMatch: head[header: "If-None-Match"], lastEventID: head[header: "Last-Event-ID"],
      hasOrigin: head[header: "Origin"] != nil)
    return answer(
      await router.answer(
        ConsoleRequest(methodText: head.method, path: path, query: head.query, headers: headers, body: body)))
  }

  private func answer(_ answer: ConsoleAnswer) -> HTTPServerAnswer {
    let headers = headers(answer.headers)
    guard let stream = answer.stream else {
      return HTTPServerAnswer(status: answer.status, headers: headers, body: .bytes(answer.body))
    }
    return HTTPServerAnswer(
      status: answer.status, headers: headers, body: .parts(length: nil) { try await stream.run($0) })
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
      ConsoleFailure(403, "the request's Host is not a name of this console", help: "see --allow-host")
    case .foreignOrigin: ConsoleFailure(403, "the request comes from a page of another site")
    }
  }
}
