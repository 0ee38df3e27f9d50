import DualSend
import DualSendCore
import FlyingFox
import Foundation

/// Reads a request as far as it may be read, and puts the answer onto the wire with the header fields that every answer has.
struct ConsoleHandler: HTTPHandler {
  /// No script, style or address but those of the page itself.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    + "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  let entry: RequestGuard
  let router: ConsoleRouter

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let path: Substring
    do throws(RequestGuard.Refusal) {
      path = try entry.pathBelowToken(
        request.target.path(), host: request.headers[.host], origin: request.headers[HTTPHeader("Origin")])
    } catch {
      _ = try await body(of: request, limit: 0)
      return response(error.failure.answer)
    }
    if request.method == .GET, path == "api/live/stream" { return await stream(request) }
    let isBatch = path == "events" || path == "mirror"
    let limit = isBatch ? router.configuration.maximumBatchBytes : router.configuration.maximumRequestBytes
    guard let body = try await body(of: request, limit: limit) else {
      return response(ConsoleFailure(413, "the body is longer than \(limit) bytes").answer)
    }
    let answer = await router.answer(
      ConsoleRouter.Request(
        method: request.method.rawValue, path: path, query: query(of: request), body: body,
        encoding: request.headers[.contentEncoding], contentType: request.headers[.contentType],
        hasOrigin: request.headers[HTTPHeader("Origin")] != nil,
        ifNoneMatch: request.headers[HTTPHeader("If-None-Match")]))
    return response(answer)
  }

  /// The body; `nil` if it is longer than the limit. It is read to its end all the same, for what is unread would be taken
  /// for the next request on the connection.
  private func body(of request: HTTPRequest, limit: Int) async throws -> [UInt8]? {
    var body: [UInt8] = []
    var isTooLong = (request.bodySequence.count ?? 0) > limit
    for try await chunk in request.bodySequence {
      isTooLong = isTooLong || body.count + chunk.count > limit
      if isTooLong { body = [] } else { body.append(contentsOf: chunk) }
    }
    return isTooLong ? nil : body
  }

  private func query(of request: HTTPRequest) -> [String: String] {
    Dictionary(request.query.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  private func stream(_ request: HTTPRequest) async -> HTTPResponse {
    let seen = request.headers[HTTPHeader("Last-Event-ID")] ?? query(of: request)["after"]
    let body = await LiveStreamBody(
      of: router.pairs, after: seen.map { Int64($0) ?? 0 }, timeSource: router.configuration.timeSource)
    return HTTPResponse(
      statusCode: .ok, headers: headers(["Content-Type": "text/event-stream"]), body: HTTPBodySequence(from: body))
  }

  private func response(_ answer: ConsoleAnswer) -> HTTPResponse {
    // Some clients, FlyingFox's own among them, refuse an empty phrase.
    let status = HTTPStatusCode(answer.status, phrase: answer.status < 400 ? "OK" : "Error")
    return HTTPResponse(statusCode: status, headers: headers(answer.headers), body: Data(answer.body))
  }

  private func headers(_ own: [String: String]) -> HTTPHeaders {
    let common = [
      "Content-Security-Policy": Self.policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
      "Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin",
    ]
    var headers = HTTPHeaders()
    for (name, value) in common.merging(own, uniquingKeysWith: { _, own in own }) { headers[HTTPHeader(name)] = value }
    return headers
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
