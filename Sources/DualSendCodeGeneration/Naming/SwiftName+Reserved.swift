/// Words that generated code cannot use as names.
extension SwiftName {
  /// The reserved words of The Swift Programming Language, which may be names in backticks.
  static let keywords: Set<String> = [
    "associatedtype", "borrowing", "class", "consuming", "deinit", "enum", "extension", "fileprivate", "func", "import",
    "init", "inout", "internal", "let", "nonisolated", "open", "operator", "package", "precedencegroup", "private",
    "protocol", "public", "rethrows", "static", "struct", "subscript", "typealias", "var",
    "break", "case", "catch", "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard", "if", "in",
    "repeat", "return", "switch", "throw", "throws", "try", "where", "while", "async", "await",
    "Any", "as", "false", "is", "nil", "self", "Self", "super", "true", "Type", "Protocol", "_",
  ]

  /// Types that generated code names, and modules: an event of that name would hide them in the whole module.
  static let reservedTypes: Set<String> = [
    "Any", "AnyObject", "Array", "Bool", "Character", "Data", "Date", "Dictionary", "Double", "DualSend",
    "DualSendRemapping", "DualTypedEvent", "Encodable", "Equatable", "Error", "EventValue", "Float", "Foundation",
    "GeneratedConversion", "GeneratedRemapping", "Hashable", "Int", "Never", "Optional", "Protocol", "Result", "Self",
    "Sendable", "Set", "String", "Swift", "Task", "Type", "TypedEvent", "URL", "UUID", "Void",
  ]

  /// Types that an event has inside.
  static let reservedNestedTypes: Set<String> = ["NewForm", "Rules"]

  /// Members that an event has already, and words that cannot be properties even in backticks.
  static let reservedMembers: Set<String> = [
    "name", "parameters", "newName", "newParameters", "newForm", "remapped", "self", "Self", "init", "Type", "Protocol",
    "_",
  ]

  /// What an enumeration has already, and what an optional would take for its own.
  static let reservedCases: Set<String> = [
    "self", "Self", "init", "Type", "Protocol", "none", "some", "rawValue", "allCases", "hashValue", "hash", "_",
  ]
}
