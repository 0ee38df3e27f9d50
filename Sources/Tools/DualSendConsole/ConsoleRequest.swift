import DualSendCore

/// A request with a valid token.
struct ConsoleRequest: Sendable {
  enum Method: String, Sendable, Hashable {
    case get = "GET"
    case post = "POST"
  }

  /// The header fields that routes read.
  struct Headers: Sendable {
    var contentEncoding: String?
    var contentType: String?
    var ifNoneMatch: String?
    var lastEventID: String?
    var hasOrigin = false
  }

  /// The method as it was sent.
  let methodText: String
  /// The parts of the path below the token, decoded.
  let path: [String]
  let query: [String: String]
  var headers = Headers()
  var body: [UInt8] = []
  /// The token of the address that only reads; `nil` if the request came by it.
  var readingToken: String?
  /// The members of the body's object; empty before the router reads them, for POST requests of the page.
  var members: [String: EventValue] = [:]

  init(methodText: String, path: [String], query: [String: String], headers: Headers, body: [UInt8]) {
    (self.methodText, self.path, self.query, self.headers, self.body) = (methodText, path, query, headers, body)
  }

  /// The method; `nil` if no route supports it.
  var method: Method? { Method(rawValue: methodText) }

  /// A required text.
  func text(_ key: String) throws(ConsoleFailure) -> String {
    guard case .string(let text)? = members[key] else { throw missing(key, "a text") }
    return text
  }

  /// An optional text, which may be null.
  func optionalText(_ key: String) throws(ConsoleFailure) -> String? {
    switch members[key] {
    case nil, .null: return nil
    case .string(let text): return text
    default: throw missing(key, "a text")
    }
  }

  /// A required number.
  func number(_ key: String) throws(ConsoleFailure) -> Double {
    switch members[key] {
    case .int(let number): return Double(number)
    case .double(let number): return number
    default: throw missing(key, "a number")
    }
  }

  /// A required integer.
  func integer(_ key: String) throws(ConsoleFailure) -> Int64 {
    guard case .int(let number)? = members[key] else { throw missing(key, "a whole number") }
    return number
  }

  /// An optional boolean, `false` by default.
  func flag(_ key: String) throws(ConsoleFailure) -> Bool {
    switch members[key] {
    case nil, .null: return false
    case .bool(let flag): return flag
    default: throw missing(key, "true or false")
    }
  }

  /// An optional list of texts, empty by default.
  func texts(_ key: String) throws(ConsoleFailure) -> [String] {
    switch members[key] {
    case nil, .null: return []
    case .array(let elements):
      let texts = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
      if texts.count == elements.count { return texts }
    default: break
    }
    throw missing(key, "a list of texts")
  }

  /// A required object.
  func object(_ key: String) throws(ConsoleFailure) -> [String: EventValue] {
    guard case .object(let members)? = members[key] else { throw missing(key, "an object") }
    return members
  }

  private func missing(_ key: String, _ kind: String) -> ConsoleFailure {
    ConsoleFailure(400, "`\(key)` is missing or not \(kind)")
  }
}
