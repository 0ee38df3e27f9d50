public import Foundation

/// Follows redirects (RFC 9110, section 15.4) for transports whose client does not follow them or cannot restrict them.
public enum Redirect {
  /// The most redirects in a row, as in browsers (Fetch Standard, HTTP-redirect fetch, step 8).
  public static let limit = 20

  /// The request to send next; `nil` if the response is not a redirect.
  ///
  /// - Throws: ``HTTPTransportError/redirectRefused`` for a redirect that leaves HTTP, downgrades HTTPS, or drops the
  ///   body, as browsers do for 301 to 303: a login page's 200 must not count as an acknowledgement.
  public static func next(
    after response: HTTPTransportResponse, to request: HTTPTransportRequest
  ) throws(HTTPTransportError) -> HTTPTransportRequest? {
    guard [301, 302, 303, 307, 308].contains(response.status), let location = response.header("Location") else {
      return nil
    }
    let url = URL(string: location, relativeTo: request.url)?.absoluteURL
    let losesBody = response.status < 307 && request.method != "GET" && request.method != "HEAD"
    if let refusal = refusal(of: response.status, from: request.url, to: url, losesBody: losesBody) {
      throw .redirectRefused(refusal)
    }
    guard let url else { return nil }
    var next = request
    next.url = url
    if (url.host, url.port, url.scheme) != (request.url.host, request.url.port, request.url.scheme) {
      next.headers = next.headers.filter { !["authorization", "cookie"].contains($0.key.lowercased()) }
    }
    return next
  }

  /// Why a redirect from `origin` to `target` must not be followed; `nil` if it may.
  static func refusal(
    of status: Int, from origin: URL?, to target: URL?, losesBody: Bool
  ) -> HTTPTransportError.RefusedRedirect? {
    let (from, to) = (origin?.scheme?.lowercased(), target?.scheme?.lowercased())
    let reason: HTTPTransportError.RefusedRedirect.Reason? =
      switch to {
      case "http" where from == "https": .leavesHTTPS
      case "http", "https": losesBody ? .losesBody : nil
      default: .leavesHTTP
      }
    return reason.map { HTTPTransportError.RefusedRedirect($0, status: status, target: place(target)) }
  }

  /// The error for more than ``limit`` redirects.
  public static func endless(_ status: Int, to target: URL?) -> HTTPTransportError {
    .redirectRefused(HTTPTransportError.RefusedRedirect(.endless, status: status, target: place(target)))
  }

  /// Why a `URLSession` task must not follow a redirect to `target`; `nil` if it may.
  ///
  /// - Parameter count: the number of redirects so far, this one included.
  static func failure(
    of status: Int, from origin: URL?, to target: URL?, losesBody: Bool, count: Int
  ) -> HTTPTransportError? {
    if let refusal = refusal(of: status, from: origin, to: target, losesBody: losesBody) {
      return .redirectRefused(refusal)
    }
    return count > limit ? endless(status, to: target) : nil
  }

  /// Scheme, host and port.
  private static func place(_ url: URL?) -> String? {
    guard let url, let scheme = url.scheme else { return nil }
    let port = url.port.map { ":\($0)" } ?? ""
    return (scheme + "://" + (url.host ?? "") + port).printable()
  }
}
