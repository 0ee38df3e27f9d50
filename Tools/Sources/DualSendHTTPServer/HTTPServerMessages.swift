import Foundation
import NIOHTTP1

/// A request as far as it was read.
package struct HTTPServerRequest: Sendable {
  /// The part before the body.
  package struct Head: Sendable {
    package let method: String
    /// Path and query as they were sent.
    package let target: String
    private let fields: HTTPHeaders

    init(_ head: HTTPRequestHead) {
      (method, target, fields) = (head.method.rawValue, head.uri, head.headers)
    }

    /// The path, with its percent-encoding.
    package var path: Substring { target.prefix { $0 != "?" && $0 != "#" } }

    /// The query's names and values, of equal names the first; percent-encoding and plus signs undone.
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

    /// A header field's value, the first one if there are several; case does not matter.
    package subscript(header name: String) -> String? { fields.first(name: name) }
  }

  package let head: Head
  /// `nil` if it was longer than it may be.
  package let body: [UInt8]?
}

/// What goes back.
package struct HTTPServerAnswer: Sendable {
  /// Sends bytes, and returns once the connection has taken them.
  package typealias Write = @Sendable ([UInt8]) async throws -> Void

  package enum Body: Sendable {
    case bytes([UInt8])
    /// Sent part by part; without a length the connection takes chunks. An error ends the connection, and the connection's
    /// end cancels it.
    case parts(length: Int?, @Sendable (Write) async throws -> Void)
  }

  package let status: Int
  package let headers: [String: String]
  package let body: Body

  package init(status: Int, headers: [String: String] = [:], body: Body) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }
}
