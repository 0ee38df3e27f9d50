package import DualSendCore

/// A path in a remapping table: `screen.name`, `a\.b` (a literal dot), `items[].id` (in every array element).
///
/// A dot enters an object, `[]` iterates over the elements of an array. `\.`, `\[`, `\]` and `\\` are literal characters. A
/// path cannot name a single array position.
package struct KeyPathPattern: Sendable, Hashable {
  /// One step into a container.
  package enum Step: Sendable, Hashable {
    /// Into the object's member of this key.
    case key(String)
    /// Into every element of the array.
    case eachElement

    /// Compares keys by their UTF-8 bytes.
    package static func == (left: Step, right: Step) -> Bool {
      switch (left, right) {
      case (.key(let left), .key(let right)): left.isExactly(right)
      case (.eachElement, .eachElement): true
      default: false
      }
    }
  }

  /// The highest number of steps, so that a table cannot create a payload beyond the reader's depth limit.
  static let maximumSteps = 32

  /// The steps, outermost first; never empty, and the first is a key.
  package let steps: [Step]

  /// Parses the written form.
  package init(_ text: String) throws(SyntaxError) {
    var parser = Parser(text: text)
    steps = try parser.steps()
  }

  /// The path of one key at the top of a payload, whatever characters the key has.
  package init(key: String) {
    steps = [.key(key)]
  }

  /// The number of `[]` steps.
  package var arrayCount: Int {
    steps.count { $0 == .eachElement }
  }

  /// The key of a path that is one top-level key; `nil` for other paths.
  package var onlyKey: String? {
    if steps.count == 1, case .key(let key) = steps[0] { return key }
    return nil
  }

  /// The value at this path; `nil` if there is none or the path has a `[]` step.
  package func value(in payload: [String: EventValue]) -> EventValue? {
    var value = EventValue.object(payload)
    for step in steps {
      guard case .key(let key) = step, case .object(let members) = value, let member = members.value(exactly: key)
      else { return nil }
      value = member
    }
    return value
  }

  /// The value at this path with an index for each `[]`; `nil` if there is none.
  func value(in payload: [String: EventValue], indices: [Int]) -> EventValue? {
    var indices = indices[...]
    var value: EventValue? = .object(payload)
    for step in steps {
      switch (step, value) {
      case (.key(let key), .object(let members)?): value = members.value(exactly: key)
      case (.eachElement, .array(let elements)?):
        let index = indices.popFirst() ?? 0
        guard elements.indices.contains(index) else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }

  /// The path with an index for each `[]`. A `[]` without an index is left out.
  func path(indices: [Int]) -> EventPath {
    var indices = indices[...]
    return EventPath(
      steps.compactMap { step in
        switch step {
        case .key(let key): .key(key)
        case .eachElement: indices.popFirst().map { .index($0) }
        }
      })
  }
}

extension KeyPathPattern: CustomStringConvertible, Comparable {
  /// The written form. Parsing it gives an equal path.
  package var description: String {
    Self.text(of: steps[...])
  }

  /// The written forms of all prefixes, from the first step to the whole path.
  var prefixes: [String] {
    steps.indices.map { Self.text(of: steps[...$0]) }
  }

  /// Whether every key is ASCII.
  var isASCII: Bool {
    steps.allSatisfy { step in
      if case .key(let key) = step { key.utf8.allSatisfy { $0 < 0x80 } } else { true }
    }
  }

  private static func text(of steps: ArraySlice<Step>) -> String {
    var text = ""
    for step in steps {
      switch step {
      case .eachElement: text += "[]"
      case .key(let key):
        if !text.isEmpty { text += "." }
        for character in key.unicodeScalars {
          if ".[]\\".unicodeScalars.contains(character) { text += "\\" }
          text.unicodeScalars.append(character)
        }
      }
    }
    return text
  }

  /// Orders by the UTF-8 bytes of the written form.
  package static func < (left: KeyPathPattern, right: KeyPathPattern) -> Bool {
    String.byteOrder(left.description, right.description)
  }
}

// MARK: - Parser

extension KeyPathPattern {
  /// The reason why a text is not a path.
  package enum SyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
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
    package var description: String {
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

// MARK: - Pattern trie

/// A trie of paths with values. An insertion fails if a path contains another.
package struct PatternTrie<Value: Sendable>: Sendable {
  /// The reason why a path was not inserted, with the value of the conflicting path.
  package enum Conflict {
    /// The trie has the same path.
    case same(Value)
    /// The trie has a path that contains the new one or is contained in it.
    case nested(Value)
    /// The new path needs an array where another needs an object, or the other way round.
    case contradicts(Value)
  }

  /// A node of the trie.
  package struct Node: Sendable {
    /// The indices of the child nodes, by step.
    public fileprivate(set) var children: [KeyPathPattern.Step: Int] = [:]
    /// The value of the path that ends here.
    public fileprivate(set) var value: Value?
  }

  /// All nodes. The root is the first.
  package private(set) var nodes = [Node()]
  private let refusesContradictions: Bool

  /// - Parameter refusesContradictions: whether a container cannot be both an array and an object: `true` for paths that are
  ///   written, `false` for paths that are only read.
  package init(refusesContradictions: Bool) {
    self.refusesContradictions = refusesContradictions
  }

  /// Inserts a path unless it conflicts with another one.
  ///
  /// - Returns: the conflict; `nil` if the path was inserted.
  package mutating func insert(_ pattern: KeyPathPattern, _ value: Value) -> Conflict? {
    if let conflict = conflict(with: pattern) { return conflict }
    var node = 0
    for step in pattern.steps {
      if let child = nodes[node].children[step] {
        node = child
      } else {
        nodes.append(Node())
        nodes[node].children[step] = nodes.count - 1
        node = nodes.count - 1
      }
    }
    nodes[node].value = value
    return nil
  }

  private func conflict(with pattern: KeyPathPattern) -> Conflict? {
    var node = 0
    for step in pattern.steps {
      if let value = nodes[node].value { return .nested(value) }
      guard let child = nodes[node].children[step] else {
        return contradiction(of: step, at: node).map { .contradicts($0) }
      }
      node = child
    }
    if let value = nodes[node].value { return .same(value) }
    return anyValue(below: node).map { .nested($0) }
  }

  private func contradiction(of step: KeyPathPattern.Step, at node: Int) -> Value? {
    guard refusesContradictions else { return nil }
    var first = Int.max
    for (other, child) in nodes[node].children where (other == .eachElement) != (step == .eachElement) {
      first = min(first, child)
    }
    return first < .max ? anyValue(below: first) : nil
  }

  /// A value at or below a node. Deterministic for the same trie.
  private func anyValue(below node: Int) -> Value? {
    var node = node
    while nodes[node].value == nil, let first = nodes[node].children.values.min() { node = first }
    return nodes[node].value
  }
}
