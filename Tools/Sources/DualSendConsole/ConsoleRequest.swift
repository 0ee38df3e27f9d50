package import DualSendCore

/// A request below `api/`, as far as it was read: its sender is known to be the page.
package struct ConsoleRequest: Sendable {
  /// What it wants to do.
  package enum Method: String, Sendable, Hashable {
    case get = "GET"
    case post = "POST"
  }

  package let method: Method
  /// The parts of the path behind `api/`, decoded.
  package let path: [String]
  package let query: [String: String]
  /// The members of the body's object; empty for a GET.
  package let members: [String: EventValue]

  package init(
    _ method: Method, _ path: [String], query: [String: String] = [:], members: [String: EventValue] = [:]
  ) {
    (self.method, self.path, self.query, self.members) = (method, path, query, members)
  }

  /// The method and the path in one text: `POST rollout/check`.
  package var route: String { method.rawValue + " " + path.joined(separator: "/") }

  /// A member that must be there and be a text.
  package func text(_ key: String) throws(ConsoleFailure) -> String {
    guard case .string(let text)? = members[key] else { throw missing(key, "a text") }
    return text
  }

  /// A member that may be missing or null, and else is a text.
  package func optionalText(_ key: String) throws(ConsoleFailure) -> String? {
    switch members[key] {
    case nil, .null: return nil
    case .string(let text): return text
    default: throw missing(key, "a text")
    }
  }

  /// A member that must be there and be a number.
  package func number(_ key: String) throws(ConsoleFailure) -> Double {
    switch members[key] {
    case .int(let number): return Double(number)
    case .double(let number): return number
    default: throw missing(key, "a number")
    }
  }

  /// A member that must be there and be a whole number.
  package func integer(_ key: String) throws(ConsoleFailure) -> Int64 {
    guard case .int(let number)? = members[key] else { throw missing(key, "a whole number") }
    return number
  }

  /// A member that may be missing, and else is `true` or `false`.
  package func flag(_ key: String) throws(ConsoleFailure) -> Bool {
    switch members[key] {
    case nil, .null: return false
    case .bool(let flag): return flag
    default: throw missing(key, "true or false")
    }
  }

  /// A member that may be missing, and else is a list of texts.
  package func texts(_ key: String) throws(ConsoleFailure) -> [String] {
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
  package func object(_ key: String) throws(ConsoleFailure) -> [String: EventValue] {
    guard case .object(let members)? = members[key] else { throw missing(key, "an object") }
    return members
  }

  private func missing(_ key: String, _ kind: String) -> ConsoleFailure {
    ConsoleFailure(400, "`\(key)` is missing or not \(kind)")
  }
}
