public import DualSendCore

/// A path in a remapping table: `screen.name`, `a\.b` (a literal dot), `items[].id` (in every array element).
///
/// A dot enters an object, `[]` iterates over the elements of an array. `\.`, `\[`, `\]` and `\\` are literal characters. A
/// path cannot name a single array position.
public struct KeyPathPattern: Sendable, Hashable {
  /// One step into a container.
  public enum Step: Sendable, Hashable {
    /// Into the object's member of this key.
    case key(String)
    /// Into every element of the array.
    case eachElement

    /// Compares keys by their UTF-8 bytes.
    public static func == (left: Step, right: Step) -> Bool {
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
  public let steps: [Step]

  /// Parses the written form.
  public init(_ text: String) throws(SyntaxError) {
    var parser = Parser(text: text)
    steps = try parser.steps()
  }

  /// The path of one key at the top of a payload, whatever characters the key has.
  public init(key: String) {
    steps = [.key(key)]
  }

  /// The number of `[]` steps.
  package var arrayCount: Int {
    steps.count { $0 == .eachElement }
  }

  /// The key of a path that is one top-level key; `nil` for other paths.
  public var onlyKey: String? {
    if steps.count == 1, case .key(let key) = steps[0] { return key }
    return nil
  }

  /// The value at this path; `nil` if there is none or the path has a `[]` step.
  public func value(in payload: [String: EventValue]) -> EventValue? {
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
  public var description: String {
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
  public static func < (left: KeyPathPattern, right: KeyPathPattern) -> Bool {
    String.byteOrder(left.description, right.description)
  }
}
