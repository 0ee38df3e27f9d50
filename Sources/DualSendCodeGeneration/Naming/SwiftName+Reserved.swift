/// Words that generated code cannot use as names.
extension SwiftName {
  /// The reserved words of Swift, which need backticks as names.
  static let keywords: Set<String> = [
    "associatedtype", "borrowing", "class", "consuming", "deinit", "enum", "extension", "fileprivate", "func", "import",
    "init", "inout", "internal", "let", "nonisolated", "open", "operator", "package", "precedencegroup", "private",
    "protocol", "public", "rethrows", "static", "struct", "subscript", "typealias", "var",
    "break", "case", "catch", "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard", "if", "in",
    "repeat", "return", "switch", "throw", "throws", "try", "where", "while", "async", "await",
    "Any", "as", "false", "is", "nil", "self", "Self", "super", "true", "Type", "Protocol", "_",
  ]

  /// Types and modules that generated code uses. An event with such a name would hide them in the whole module.
  static let reservedTypes: Set<String> = [
    "Any", "AnyObject", "Array", "Bool", "Character", "Data", "Date", "Dictionary", "Double", "DualSend",
    "DualSendRemapping", "DualTypedEvent", "Encodable", "Equatable", "Error", "EventValue", "Float", "Foundation",
    "GeneratedConversion", "GeneratedRemapping", "Hashable", "Int", "Never", "Optional", "Protocol", "Result", "Self",
    "Sendable", "Set", "String", "Swift", "Task", "Type", "TypedEvent", "URL", "UUID", "Void",
  ]

  /// Nested types of a generated event.
  static let reservedNestedTypes: Set<String> = ["NewForm", "Rules"]

  /// Members of a generated event, and words that cannot be properties even in backticks.
  static let reservedMembers: Set<String> = [
    "name", "parameters", "newName", "newParameters", "newForm", "remapped", "self", "Self", "init", "Type", "Protocol",
    "_",
  ]

  /// Members of an enumeration, and cases of `Optional`.
  static let reservedCases: Set<String> = [
    "self", "Self", "init", "Type", "Protocol", "none", "some", "rawValue", "allCases", "hashValue", "hash", "_",
  ]
}
