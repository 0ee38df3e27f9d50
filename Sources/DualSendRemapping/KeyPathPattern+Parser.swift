extension KeyPathPattern {
  /// The reason why a text is not a path.
  public enum SyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Two dots in a row, a dot at an end, or no text at all.
    case emptyStep
    /// A backslash before anything but `.`, `[`, `]` or `\`.
    case unknownEscape
    /// A `[` that is not `[]`, or a `[]` before any key.
    case misplacedBracket
    /// Text between `[]` and the next dot.
    case textAfterBrackets
    /// More steps than a payload may be deep.
    case tooManySteps

    /// One factual line.
    public var description: String {
      switch self {
      case .emptyStep: "a step of the path is empty"
      case .unknownEscape: "a backslash stands before a character that needs none"
      case .misplacedBracket: "`[` may only open `[]` after a key"
      case .textAfterBrackets: "after `[]` a dot must follow"
      case .tooManySteps: "the path has more than \(KeyPathPattern.maximumSteps) steps"
      }
    }

    var help: String {
      switch self {
      case .emptyStep: "write `\\.` for a dot inside a key"
      case .unknownEscape: "only `\\.`, `\\[`, `\\]` and `\\\\` are escapes (each backslash twice in JSON)"
      case .misplacedBracket: "`items[].id` means every element; write `\\[` for a bracket inside a key"
      case .textAfterBrackets: "write `items[].id`"
      case .tooManySteps: "name a key further up"
      }
    }
  }

  /// Parses the written form.
  struct Parser {
    private var rest: Substring.UnicodeScalarView
    private var found: [Step] = []

    init(text: String) {
      rest = Substring(text).unicodeScalars
    }

    mutating func steps() throws(SyntaxError) -> [Step] {
      repeat {
        found.append(.key(try key()))
        try brackets()
        guard found.count <= KeyPathPattern.maximumSteps else { throw .tooManySteps }
      } while try dot()
      return found
    }

    private mutating func key() throws(SyntaxError) -> String {
      var key = String.UnicodeScalarView()
      while let character = rest.first, character != "." {
        if character == "[" {
          if key.isEmpty || rest.dropFirst().first != "]" { throw .misplacedBracket }
          break
        }
        rest.removeFirst()
        if character == "\\" {
          guard let escaped = rest.popFirst(), ".[]\\".unicodeScalars.contains(escaped) else { throw .unknownEscape }
          key.append(escaped)
        } else {
          key.append(character)
        }
      }
      if key.isEmpty { throw .emptyStep }
      return String(key)
    }

    private mutating func brackets() throws(SyntaxError) {
      while rest.first == "[" {
        rest.removeFirst()
        guard rest.popFirst() == "]" else { throw .misplacedBracket }
        found.append(.eachElement)
      }
    }

    private mutating func dot() throws(SyntaxError) -> Bool {
      guard let next = rest.popFirst() else { return false }
      if next != "." { throw .textAfterBrackets }
      return true
    }
  }
}
