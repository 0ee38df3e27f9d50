import DualSendCore

/// Makes Swift identifiers from names. The same text always gives the same identifier.
enum SwiftName {
  /// The name of a type: `home.like_button.tap` gives `HomeLikeButtonTap`.
  static func type(_ text: String) -> String {
    let name = identifier(words(of: text).map(capitalized).joined(), of: text)
    return reservedTypes.contains(name) ? name + "Event" : name
  }

  /// The name of a type nested in an event; like ``type(_:)``.
  static func nestedType(_ text: String) -> String {
    let name = identifier(words(of: text).map(capitalized).joined(), of: text)
    return reservedTypes.contains(name) ? name + "Value" : name
  }

  /// The name of a property: `item_id` gives `itemID`.
  static func member(_ text: String) -> String {
    let name = lowerCamel(text)
    return reservedMembers.contains(name) ? name + "Parameter" : name
  }

  /// The name of an enumeration's case: `"new-user"` gives `newUser`, `-1` gives `minus1`.
  static func enumCase(_ value: EventValue) -> String {
    let name: String
    switch value {
    case .int(let number) where number < 0: name = "minus\(number.magnitude)"
    case .int(let number): name = "value\(number)"
    case .string(""): name = "empty"
    case .string(let text): name = lowerCamel(text)
    default: name = lowerCamel(value.canonicalText)
    }
    return reservedCases.contains(name) ? name + "Value" : name
  }

  /// Whether a text is a valid name for a generated type.
  static func isType(_ text: String) -> Bool {
    isPlain(text) && !reservedTypes.contains(text) && !keywords.contains(text)
  }

  /// Whether a text is a valid name for a generated property.
  static func isMember(_ text: String) -> Bool {
    isPlain(text) && !reservedMembers.contains(text) && !keywords.contains(text)
  }

  /// The identifier as written in code: keywords in backticks.
  static func escaped(_ identifier: String) -> String {
    keywords.contains(identifier) ? "`\(identifier)`" : identifier
  }

  /// The identifier as an argument label, for which few keywords need backticks.
  static func label(_ identifier: String) -> String {
    ["inout", "let", "var"].contains(identifier) ? "`\(identifier)`" : identifier
  }

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
    return text != "_"
      && text.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "_") }
  }

  private static func lowerCamel(_ text: String) -> String {
    let words = words(of: text)
    let first = words.first.map { $0.lowercased() } ?? ""
    return identifier(first + words.dropFirst().map(capitalized).joined(), of: text)
  }

  private static let acronyms: Set<String> = ["id", "url", "uri", "uuid"]

  private static func capitalized(_ word: String) -> String {
    let lower = word.lowercased()
    return acronyms.contains(lower) ? lower.uppercased() : lower.prefix(1).uppercased() + lower.dropFirst()
  }

  /// Makes a valid identifier, even from an empty text or one that starts with a digit.
  private static func identifier(_ name: String, of text: String) -> String {
    guard let first = name.unicodeScalars.first else {
      return "_" + text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: "_")
    }
    return first.properties.isXIDStart ? name : "_" + name
  }

  /// The words of a text: runs of letters and digits, split at camel case.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var lastIsLower = false
    for scalar in text.unicodeScalars {
      let isPart = scalar.isWordPart
      if !isPart || (lastIsLower && scalar.properties.isUppercase) {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if isPart { word.unicodeScalars.append(scalar) }
      lastIsLower = isPart && scalar.properties.isLowercase
    }
    if !word.isEmpty { words.append(word) }
    return words
  }
}

extension Unicode.Scalar {
  /// Letters and decimal digits only, because other identifier characters may be invisible.
  fileprivate var isWordPart: Bool {
    if isASCII { return ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self) }
    return switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: properties.isXIDContinue
    default: false
    }
  }
}

extension EventSpecification.Event {
  /// The name of the event's Swift type.
  var typeName: String { swiftName ?? SwiftName.type(name) }
}

extension EventSpecification.Parameter {
  /// The name of the parameter's Swift property.
  var propertyName: String { swiftName ?? SwiftName.member(key) }

  /// The name of the enumeration of its closed values.
  var typeName: String { SwiftName.nestedType(swiftName ?? key) }
}

// MARK: - Reserved words

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
    "Any", "AnyObject", "Array", "Bool", "CaseIterable", "Character", "Data", "Date", "Dictionary", "Double",
    "DualSend",
    "DualSendTracking",
    "Encodable", "Equatable", "Error", "EventValue", "Float", "Foundation",
    "Hashable", "Int", "Never", "Optional", "Protocol", "Result", "Self",
    "Sendable", "Set", "String", "Swift", "Task", "Type", "TypedEvent", "URL", "UUID", "Void",
  ]

  /// Members of a generated event, and words that cannot be properties even in backticks.
  static let reservedMembers: Set<String> = [
    "name", "parameters", "self", "Self", "init", "Type", "Protocol", "_",
  ]

  /// Members of an enumeration, and cases of `Optional`.
  static let reservedCases: Set<String> = [
    "self", "Self", "init", "Type", "Protocol", "none", "some", "rawValue", "allCases", "hashValue", "hash", "_",
  ]
}
