/// A function that logs, as a team describes it.
package struct LoggingFunction: Sendable, Hashable {
  /// The part of a call that has a value.
  package enum Argument: Sendable, Hashable {
    case position(Int)
    case label(String)
    /// The receiver of the call.
    case receiver
  }

  /// How a call passes its event.
  package enum Content: Sendable, Hashable {
    /// As a name, and parameters: a dictionary, or an array with one dictionary for each event.
    case parts(name: Argument, parameters: Argument?, form: NameForm = NameForm())
    /// As a value that has both as properties.
    case event(Argument, nameProperty: PropertyPath, parametersProperty: PropertyPath)

    /// The event, or the name and the parameters.
    package var arguments: [Argument] {
      switch self {
      case .parts(let name, let parameters, _): [name] + (parameters.map { [$0] } ?? [])
      case .event(let event, _, _): [event]
      }
    }
  }

  /// What the argument with the name is, if it is not the event's name itself.
  package struct NameForm: Sendable, Hashable {
    /// The property of it that is the text.
    var property: PropertyPath?
    /// The event's name, if the text is the value of a key: that of a screen.
    var fixed: FixedName?

    package init() {}
  }

  /// A name that all events of a function have, and the key of the text that the function takes.
  struct FixedName: Sendable, Hashable {
    let name: String
    let key: String
  }

  /// The name without labels.
  package let name: String
  /// The labels; `_` if there is none.
  package let labels: [String]
  /// The type that declares it; `nil` for any.
  package let type: String?
  /// The arguments that have the event.
  package let content: Content
  /// The app's own text properties that follow a rule, by name.
  package internal(set) var rules: [String: TextRule] = [:]
  /// The type of the event or the name, for `.x` in calls of a function that the sources do not declare.
  package internal(set) var argumentType: String?
  /// Whether the keys of the parameters are the raw values of an enum.
  package internal(set) var hasRawValueKeys = false
  /// The protocol to which the value must conform, if any.
  let receiverProtocol: String?

  /// Describes a function.
  ///
  /// - Parameter signature: the name with its labels, `track(_:properties:)`. The result is `nil` if it has another
  ///   form.
  package init?(_ signature: String, of type: String? = nil, content: Content) {
    guard let open = signature.firstIndex(of: "("), signature.last == ")" else { return nil }
    let name = String(signature[..<open])
    let inner = signature[signature.index(after: open)...].dropLast()
    guard !name.isEmpty, inner.isEmpty || inner.last == ":" else { return nil }
    self.init(name, inner.split(separator: ":").map(String.init), of: type, content)
  }

  private init(
    _ name: String, _ labels: [String], of type: String? = nil, _ content: Content, on receiverProtocol: String? = nil
  ) {
    (self.name, self.labels, self.type, self.content) = (name, labels, type, content)
    self.receiverProtocol = receiverProtocol
  }

  /// The name with its labels, as it was written.
  package var signature: String { name + "(" + labels.map { $0 + ":" }.joined() + ")" }

  private static func labelled(_ name: String, _ first: String, _ second: String) -> LoggingFunction {
    LoggingFunction(name, [first, second], .parts(name: .label(first), parameters: .label(second)))
  }

  private static func event(_ argument: Argument) -> Content {
    .event(argument, nameProperty: "name", parametersProperty: "parameters")
  }

  /// The functions of the old logger, and of the types of this package that replace it.
  package static let known: [LoggingFunction] =
    [
      labelled("logEvents", "name", "parameters"),
      LoggingFunction("send", [], event(.receiver), on: "OldTypedEvent"),
    ]
    + fronts.flatMap { type in
      [
        LoggingFunction("log", ["_"], of: type, event(.position(0))),
        LoggingFunction("log", ["_", "_"], of: type, .parts(name: .position(0), parameters: .position(1))),
      ]
    }

  /// The types that call sites log to before, during and after a migration.
  private static let fronts = ["DualSendTracker", "EventLogging", "SinkGroup"]

  /// The place of an argument among the labels; `nil` if there is none.
  func place(of argument: Argument) -> Int? {
    switch argument {
    case .position(let place): labels.indices.contains(place) ? place : nil
    case .label(let label): labels.firstIndex(of: label)
    case .receiver: nil
    }
  }

  /// Whether the event's name is the first argument.
  var isNameFirst: Bool {
    if case .parts(let name, _, let form) = content { place(of: name) == 0 && form == NameForm() } else { false }
  }

  /// Whether it is a form of `log` of `EventLogging`. Such calls stay unchanged at the end of a migration.
  package var staysAfterMigration: Bool { name == "log" && type.map(Self.fronts.contains) ?? false }
}

/// A property of an event, or a property of one: `name.rawValue`.
package struct PropertyPath: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The names of the properties, at least one.
  let steps: [String]

  /// The name of the event's own property.
  var first: String { steps[0] }
  /// The names, joined by dots.
  package var description: String { steps.joined(separator: ".") }

  /// Reads names that are joined by dots; `nil` if one of them is no name.
  package init?(_ text: String) {
    self.init(stringLiteral: text)
    guard steps.allSatisfy(\.isName) else { return nil }
  }

  /// Names that are joined by dots.
  package init(stringLiteral text: String) {
    steps = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }
}

extension String {
  fileprivate var isName: Bool {
    first.map { !$0.isNumber } == true && allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
  }
}

/// A rule by which a property of the app derives a text from another one.
package enum TextRule: String, Sendable, Hashable, CaseIterable {
  /// `itemAdded` becomes `item_added`: each capital letter starts a word.
  case snake = "snake_case"
  /// `itemAdded` becomes `item-added`.
  case kebab = "kebab-case"
  /// `openURLBar` becomes `open_url_bar`, and `URLBar` `url_bar`: capital letters in a row are a word, of which the last one
  /// starts the next word if a lower-case letter follows.
  ///
  /// The words are those of `JSONEncoder.KeyEncodingStrategy.convertToSnakeCase` in Foundation, which differs only for a text
  /// that starts with two capital letters: it separates the first one (`u_rl_bar`).
  case snakeAcronyms = "snake_case_acronyms"
  /// `openURLBar` becomes `open-url-bar`.
  case kebabAcronyms = "kebab-case-acronyms"

  func text(_ text: String) -> String {
    let separator = rawValue.contains("-") ? "-" : "_"
    if self == .snakeAcronyms || self == .kebabAcronyms { return Self.words(text).joined(separator: separator) }
    return text.reduce(into: "") { result, character in
      if character.isUppercase { result += separator }
      result += character.lowercased()
    }
  }

  private static func words(_ text: String) -> [String] {
    let letters = Array(text)
    var starts = [0]
    var rest = letters[...]
    while let capital = rest.firstIndex(where: \.isCapital) {
      if capital > 0 { starts.append(capital) }
      guard let small = letters[capital...].firstIndex(where: \.isSmall) else { break }
      if small > capital + 1 { starts.append(small - 1) }
      rest = letters[(small + 1)...]
    }
    return zip(starts, starts.dropFirst() + [letters.count]).map { String(letters[$0..<$1]).lowercased() }
  }
}

extension Character {
  /// The categories of Foundation's `CharacterSet.uppercaseLetters` and `lowercaseLetters`.
  fileprivate var isCapital: Bool {
    unicodeScalars.contains { [.uppercaseLetter, .titlecaseLetter].contains($0.properties.generalCategory) }
  }

  fileprivate var isSmall: Bool {
    unicodeScalars.contains { $0.properties.generalCategory == .lowercaseLetter }
  }
}
