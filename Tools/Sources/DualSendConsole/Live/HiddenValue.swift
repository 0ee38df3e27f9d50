import DualSendCore

extension EventValue {
  /// The value with every scalar replaced by what kind it is: what the page shows while values are hidden.
  var hidden: EventValue {
    switch self {
    case .null: .string("‹null›")
    case .bool: .string("‹true or false›")
    case .int, .uint: .string("‹whole number›")
    case .double: .string("‹number›")
    case .date: .string("‹time›")
    case .string(let text): .string("‹text, \(text.count) character\(text.count == 1 ? "" : "s")›")
    case .array(let elements): .array(elements.map(\.hidden))
    case .object(let members): .object(members.mapValues(\.hidden))
    }
  }
}
