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
