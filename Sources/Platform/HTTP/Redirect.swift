import Foundation

/// Where an answer sends its request on to (RFC 9110, section 15.4), for transports whose client does not follow by
/// itself or cannot be told where not to.
enum Redirect {
  /// What a browser follows too (Fetch Standard, HTTP-redirect fetch, step 8).
  static let limit = 20

  /// The request to send next; `nil` if the answer is the last.
  ///
  /// - Throws: ``HTTPTransportError/redirectRefused`` for a way that leaves HTTP, or HTTPS once the request came by it.
  static func next(
    after response: HTTPResponse, to request: HTTPRequest
  ) throws(HTTPTransportError) -> HTTPRequest? {
    guard [301, 302, 303, 307, 308].contains(response.status), let location = response.header("Location") else {
      return nil
    }
    guard let url = URL(string: location, relativeTo: request.url)?.absoluteURL, mayFollow(from: request.url, to: url)
    else { throw .redirectRefused }
    var next = request
    next.url = url
    if response.status == 303 || (request.method == "POST" && response.status < 303) {
      next.method = request.method == "HEAD" ? "HEAD" : "GET"
      next.body = nil
      next.headers = next.headers.filter { !$0.key.lowercased().hasPrefix("content-") }
    }
    if (url.host, url.port, url.scheme) != (request.url.host, request.url.port, request.url.scheme) {
      next.headers = next.headers.filter { !["authorization", "cookie"].contains($0.key.lowercased()) }
    }
    return next
  }

  /// Whether a request to `origin` may go on to `target`: never away from HTTP, and never from HTTPS to what is open.
  static func mayFollow(from origin: URL?, to target: URL?) -> Bool {
    target?.scheme == "https" || (target?.scheme == "http" && origin?.scheme != "https")
  }
}
