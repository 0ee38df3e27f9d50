import DualSendCore
import DualSendRemapping

extension KeyPathPattern {
  /// The path in the query's notation: `/key` for a member, `[` for an element.
  var sqlPattern: String { steps.map(\.sqlStep).joined() }
}

extension KeyPathPattern.Step {
  var sqlStep: String {
    switch self {
    case .key(let key): "/" + key.sqlEscaped
    case .eachElement: "["
    }
  }
}

extension String {
  fileprivate var sqlEscaped: String {
    var escaped = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "~": escaped.append(contentsOf: "~0".unicodeScalars)
      case "/": escaped.append(contentsOf: "~1".unicodeScalars)
      case "[": escaped.append(contentsOf: "~2".unicodeScalars)
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}

extension EventValue {
  /// The scalars and empty containers of a constant, each with its path, kind and, for a scalar, JSON.
  var sqlLeaves: [(suffix: String, kind: String, text: String?)] {
    switch self {
    case .object(let members):
      if members.isEmpty { return [("", "{", nil)] }
      return members.sorted { String.byteOrder($0.key, $1.key) }.flatMap { key, value in
        value.sqlLeaves.map { ("/" + key.sqlEscaped + $0.suffix, $0.kind, $0.text) }
      }
    case .array(let elements):
      if elements.isEmpty { return [("", "[", nil)] }
      return elements.enumerated().flatMap { index, value in
        value.sqlLeaves.map { ("[\(index)" + $0.suffix, $0.kind, $0.text) }
      }
    default: return [("", "c", canonicalText)]
    }
  }
}
