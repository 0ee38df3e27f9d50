package import DualSendCore

extension EventValue {
  /// A row as a document has it: the target alone if nothing else is set.
  package static func row(
    to target: String, type: ValueType?, values: [String: EventValue]?, default fallback: EventValue?
  ) -> EventValue {
    var members: [String: EventValue] = ["to": .string(target)]
    members["type"] = type.map { .string($0.rawValue) }
    members["values"] = values.map { .object($0) }
    members["default"] = fallback
    return members.count == 1 ? .string(target) : .object(members)
  }
}
