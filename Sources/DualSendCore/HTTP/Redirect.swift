import Foundation

/// Where an answer sends its request on to (RFC 9110, section 15.4), for transports whose client does not follow by
/// itself or cannot be told where not to.
@_spi(Tools) public enum Redirect {
  /// What a browser follows too (Fetch Standard, HTTP-redirect fetch, step 8).
  public static let limit = 20

  /// The request to send next; `nil` if the answer is the last.
  ///
  /// - Throws: ``HTTPTransportError/redirectRefused`` for a way that leaves HTTP, or HTTPS once the request came by it,
  ///   and for one that browsers go without the body: a login page's 200 must not pass for an acknowledgement.
  public static func next(
    after response: HTTPTransportResponse, to request: HTTPTransportRequest
  ) throws(HTTPTransportError) -> HTTPTransportRequest? {
    guard [301, 302, 303, 307, 308].contains(response.status), let location = response.header("Location") else {
      return nil
    }
    guard let url = URL(string: location, relativeTo: request.url)?.absoluteURL, mayFollow(from: request.url, to: url),
      response.status > 303 || request.method == "GET" || request.method == "HEAD"
    else { throw .redirectRefused }
    var next = request
    next.url = url
    if (url.host, url.port, url.scheme) != (request.url.host, request.url.port, request.url.scheme) {
      next.headers = next.headers.filter { !["authorization", "cookie"].contains($0.key.lowercased()) }
    }
    return next
  }

  /// Whether a request to `origin` may go on to `target`: never away from HTTP, and never from HTTPS to what is open.
  static func mayFollow(from origin: URL?, to target: URL?) -> Bool {
    let (from, to) = (origin?.scheme?.lowercased(), target?.scheme?.lowercased())
    return to == "https" || (to == "http" && from != "https")
  }
}
