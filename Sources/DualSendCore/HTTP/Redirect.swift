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

// MARK: - Refused redirect

extension HTTPTransportError {
  /// A redirect that a transport does not follow.
  public struct RefusedRedirect: Sendable, Hashable {
    /// Why it is not followed.
    public enum Reason: Sendable, Hashable {
      /// 301, 302 and 303 make clients drop the request's body, so that a login page's 200 would count as an
      /// acknowledgement.
      case losesBody
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
    case .leavesHTTPS: answer + ", from HTTPS to plain HTTP"
    case .leavesHTTP: answer + ", away from HTTP"
    case .endless: answer + ", after too many redirects"
    }
  }
}
