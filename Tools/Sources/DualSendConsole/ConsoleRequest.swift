import DualSendCore

/// A request below the token: its sender knows the page's address.
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
  /// The members of the body's object; empty until a route for the page has read them.
  var members: [String: EventValue] = [:]

  /// An object within a request's, read in the same way.
  init(members: [String: EventValue]) {
    (methodText, path, query, self.members) = ("", [], [:], members)
  }

  init(methodText: String, path: [String], query: [String: String], headers: Headers, body: [UInt8]) {
    (self.methodText, self.path, self.query, self.headers, self.body) = (methodText, path, query, headers, body)
  }

  /// The method; `nil` for one that no route has.
  var method: Method? { Method(rawValue: methodText) }

  /// A member that must be there and be a text.
  func text(_ key: String) throws(ConsoleFailure) -> String {
    guard case .string(let text)? = members[key] else { throw missing(key, "a text") }
    return text
  }

  /// A member that may be missing or null, and else is a text.
  func optionalText(_ key: String) throws(ConsoleFailure) -> String? {
    switch members[key] {
    case nil, .null: return nil
    case .string(let text): return text
    default: throw missing(key, "a text")
    }
  }

  /// A member that must be there and be a number.
  func number(_ key: String) throws(ConsoleFailure) -> Double {
    switch members[key] {
    case .int(let number): return Double(number)
    case .double(let number): return number
    default: throw missing(key, "a number")
    }
  }

  /// A member that must be there and be a whole number.
  func integer(_ key: String) throws(ConsoleFailure) -> Int64 {
    guard case .int(let number)? = members[key] else { throw missing(key, "a whole number") }
    return number
  }

  /// A member that may be missing, and else is `true` or `false`.
  func flag(_ key: String) throws(ConsoleFailure) -> Bool {
    switch members[key] {
    case nil, .null: return false
    case .bool(let flag): return flag
    default: throw missing(key, "true or false")
    }
  }

  /// A member that may be missing, and else is a list of texts.
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

  /// A member that must be there and be an object.
  func object(_ key: String) throws(ConsoleFailure) -> [String: EventValue] {
    guard case .object(let members)? = members[key] else { throw missing(key, "an object") }
    return members
  }

  private func missing(_ key: String, _ kind: String) -> ConsoleFailure {
    ConsoleFailure(400, "`\(key)` is missing or not \(kind)")
  }
}
