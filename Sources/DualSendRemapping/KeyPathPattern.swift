public import DualSendCore

/// A path as remapping tables write it: `screen.name`, `a\.b` (a literal dot), `items[].id` (in every array element).
///
/// Dots walk into objects, `[]` walks over the elements of an array. `\.`, `\[`, `\]` and `\\` stand for the character
/// itself; an array position cannot be named.
public struct KeyPathPattern: Sendable, Hashable {
  /// One step into a container.
  public enum Step: Sendable, Hashable {
    /// Into the object's member of this key.
    case key(String)
    /// Into every element of the array.
    case eachElement

    /// Whether both go into every element, or into members whose keys have the same UTF-8 bytes.
    public static func == (left: Step, right: Step) -> Bool {
      switch (left, right) {
      case (.key(let left), .key(let right)): left.isExactly(right)
      case (.eachElement, .eachElement): true
      default: false
      }
    }
  }

  /// The most steps a path may have, so that no table can make a payload too deep to be read again.
  static let maximumSteps = 32

  /// The steps, outermost first; never empty, and the first is a key.
  public let steps: [Step]

  /// Reads the written form.
  public init(_ text: String) throws(SyntaxError) {
    var parser = Parser(text: text)
    steps = try parser.steps()
  }

  /// The path of these steps, whatever characters their keys have.
  init(first: String, others: [Step]) {
    steps = [.key(first)] + others
  }

  /// The path of one key at the top of a payload, whatever characters the key has.
  public init(key: String) {
    steps = [.key(key)]
  }

  /// How many arrays the path walks over.
  var arrayCount: Int {
    steps.count { $0 == .eachElement }
  }

  /// The key, if the path is nothing but one key at the top of a payload.
  public var onlyKey: String? {
    if steps.count == 1, case .key(let key) = steps[0] { return key }
    return nil
  }

  /// The value at this place; `nil` if there is none or the path walks over an array.
  public func value(in payload: [String: EventValue]) -> EventValue? {
    var value = EventValue.object(payload)
    for step in steps {
      guard case .key(let key) = step, case .object(let members) = value, let member = members.value(exactly: key)
      else { return nil }
      value = member
    }
    return value
  }

  /// The value at this place where every `[]` has an index; `nil` if there is none.
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

  /// The place this pattern means once every `[]` has an index; an array without an index stays out.
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
  /// The written form; reading it gives this path again.
  public var description: String {
    Self.text(of: steps[...])
  }

  /// The written forms of all places on the way, from the outermost to this one.
  var prefixes: [String] {
    steps.indices.map { Self.text(of: steps[...$0]) }
  }

  /// Whether every key is.
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
