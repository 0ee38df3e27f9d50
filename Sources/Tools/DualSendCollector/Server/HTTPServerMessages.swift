import Foundation
import NIOHTTP1

/// A request.
package struct HTTPServerRequest: Sendable {
  /// The part before the body.
  package struct Head: Sendable {
    package let method: String
    /// The path and query as sent.
    package let target: String
    private let fields: HTTPHeaders

    init(_ head: HTTPRequestHead) {
      (method, target, fields) = (head.method.rawValue, head.uri, head.headers)
    }

    /// The path, with its percent-encoding.
    package var path: Substring { target.prefix { $0 != "?" && $0 != "#" } }

    /// The decoded query items; of equal names the first.
    package var query: [String: String] {
      let text = target.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
      let pairs = text.split(separator: "&").map { pair in
        let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { half in
          let spaced = String(half.replacing("+", with: " "))
          return spaced.removingPercentEncoding ?? spaced
        }
        return (halves[0], halves.count > 1 ? halves[1] : "")
      }
      return Dictionary(pairs) { first, _ in first }
    }

    /// The first value of a header field. The name is case-insensitive.
    package subscript(header name: String) -> String? { fields.first(name: name) }
  }

  package let head: Head
  /// `nil` if it exceeded the limit.
  package let body: [UInt8]?
}

/// A response.
package struct HTTPServerAnswer: Sendable {
  /// Sends bytes. Returns when the connection has accepted them.
  package typealias Write = @Sendable ([UInt8]) async throws -> Void

  package enum Body: Sendable {
    case bytes([UInt8])
    /// Sent in parts; chunked without a length. An error closes the connection; the end of the connection cancels the
    /// closure.
    case parts(length: Int?, @Sendable (Write) async throws -> Void)
  }

  package let status: Int
  package let headers: [String: String]
  package let body: Body

  package init(status: Int, headers: [String: String] = [:], body: Body) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }
}

/// The limits of an ``HTTPServer``.
package struct HTTPServerLimits: Sendable, Hashable {
  /// The largest request line with all header fields, in bytes. A larger one gets a 400.
  package var headBytes = 16 << 10
  /// The longest wait for the next part of a request, for a whole head, and for an idle connection.
  package var idleTime = Duration.seconds(30)
  /// The most connections. Further ones are closed at once.
  package var connections = 512
  /// The most bytes of bodies that are received or answered at once, of all connections.
  package var bodyBytes = 256 << 20

  package init() {}
}
