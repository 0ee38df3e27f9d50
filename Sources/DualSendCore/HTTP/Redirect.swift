import Foundation

/// Follows redirects (RFC 9110, section 15.4), by one rule for all transports.
///
/// A request with a body goes on only for 307 and 308 and within its own origin, because bodies and addresses hold the keys
/// that a vendor bills by. A request without a body may go to another origin, where it has only the header fields that say
/// what is asked for. HTTPS is never left.
package enum Redirect {
  /// The most redirects in a row, as in browsers (Fetch Standard, HTTP-redirect fetch, step 8).
  package static let limit = 20

  /// The header fields that another origin may see.
  private static let publicFields: Set = [
    "accept", "accept-encoding", "accept-language", "cache-control", "if-none-match", "if-modified-since",
    "last-event-id",
    "user-agent",
  ]

  /// Sends a request, and what its redirects ask for.
  ///
  /// - Parameter send: sends one request and follows no redirect.
  /// - Throws: ``HTTPTransportError/redirectRefused`` for a redirect that must not be followed: a login page's 200 must not
  ///   count as an acknowledgement; what `send` throws.
  package static func followed<Response>(
    from request: HTTPTransportRequest, head: (Response) -> (status: Int, location: String?),
    send: (HTTPTransportRequest) async throws(HTTPTransportError) -> Response
  ) async throws(HTTPTransportError) -> Response {
    var request = request
    var status: Int?
    for _ in 0...limit {
      let response = try await send(request)
      let (found, location) = head(response)
      status = found
      guard let next = try next(after: found, location, to: request) else { return response }
      request = next
    }
    throw .redirectRefused(HTTPTransportError.RefusedRedirect(.endless, status: status, target: place(request.url)))
  }

  /// The request to send next; `nil` if the response is not a redirect.
  static func next(
    after status: Int, _ location: String?, to request: HTTPTransportRequest
  ) throws(HTTPTransportError) -> HTTPTransportRequest? {
    guard [301, 302, 303, 307, 308].contains(status), let location else { return nil }
    let url = URL(string: location, relativeTo: request.url)?.absoluteURL
    let isSameOrigin = origin(url) == origin(request.url)
    let hasBody = request.method != "GET" && request.method != "HEAD"
    let reason: HTTPTransportError.RefusedRedirect.Reason? =
      switch url?.scheme?.lowercased() {
      case "http" where request.url.scheme?.lowercased() == "https": .leavesHTTPS
      case "http", "https": hasBody ? (status < 307 ? .losesBody : isSameOrigin ? nil : .leavesOrigin) : nil
      default: .leavesHTTP
      }
    if let reason {
      throw .redirectRefused(HTTPTransportError.RefusedRedirect(reason, status: status, target: place(url)))
    }
    guard let url else { return nil }
    var next = request
    next.url = url
    if !isSameOrigin { next.headers = next.headers.filter { publicFields.contains($0.key.lowercased()) } }
    return next
  }

  /// Scheme, host and port.
  private static func origin(_ url: URL?) -> [String?] {
    let scheme = url?.scheme?.lowercased()
    return [scheme, url?.host?.lowercased(), "\(url?.port ?? (scheme == "https" ? 443 : 80))"]
  }

  /// Scheme, host and port, for a message.
  private static func place(_ url: URL?) -> String? {
    guard let url, let scheme = url.scheme else { return nil }
    let port = url.port.map { ":\($0)" } ?? ""
    return (scheme + "://" + (url.host ?? "") + port).printable()
  }
}

// MARK: - Refused redirect

extension HTTPTransportError {
  /// A redirect that a transport does not follow.
  public struct RefusedRedirect: Sendable, Hashable {
    /// Why it is not followed.
    public enum Reason: Sendable, Hashable {
      /// 301, 302 and 303 make clients drop the request's body, so that a login page's 200 would count as an
      /// acknowledgement.
      case losesBody
      /// A body would go to another scheme, host or port.
      case leavesOrigin
      /// From HTTPS to unencrypted HTTP.
      case leavesHTTPS
      /// To a URL that is not HTTP.
      case leavesHTTP
      /// More than ``Redirect/limit`` redirects in a row.
      case endless
    }

    /// Why it is not followed.
    public let reason: Reason
    /// The status of the response, 300…399; `nil` if the system does not tell.
    public let status: Int?
    /// The target's scheme, host and port, without parts that may hold secrets; `nil` if the system does not tell.
    public let target: String?

    /// Creates a refusal.
    public init(_ reason: Reason, status: Int? = nil, target: String? = nil) {
      self.reason = reason
      self.status = status
      self.target = target
    }
  }
}

extension HTTPTransportError.RefusedRedirect: CustomStringConvertible {
  /// One factual line: `the server redirects (302) to https://login.test, which would lose the request's body`.
  public var description: String {
    let answer = "the server redirects" + (status.map { " (\($0))" } ?? "") + (target.map { " to \($0)" } ?? "")
    return switch reason {
    case .losesBody: answer + ", which would lose the request's body"
    case .leavesOrigin: answer + ", another server than the request's"
    case .leavesHTTPS: answer + ", from HTTPS to plain HTTP"
    case .leavesHTTP: answer + ", away from HTTP"
    case .endless: answer + ", after too many redirects"
    }
  }
}
