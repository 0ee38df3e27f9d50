/// The place of a value inside a payload or a document: keys and array positions, outermost first.
///
/// Written as `screen.name`, `items[3].id` or `a\.b` (a literal dot), the form that remapping tables use.
public struct EventPath: Sendable, Hashable {
  /// One step into a container.
  public enum Step: Sendable, Hashable {
    case key(String)
    case index(Int)

    /// Compares positions, and the UTF-8 bytes of keys.
    public static func == (left: Step, right: Step) -> Bool {
      switch (left, right) {
      case (.key(let left), .key(let right)): left.isExactly(right)
      case (.index(let left), .index(let right)): left == right
      default: false
      }
    }
  }

  /// The steps, outermost first; empty for the value itself.
  public var steps: [Step]

  /// Creates a path.
  package init(_ steps: [Step] = []) {
    self.steps = steps
  }

  /// This path followed by a key.
  package func appending(_ key: String) -> EventPath {
    EventPath(steps + [.key(key)])
  }

  /// This path followed by an array position, counted from 0.
  package func appending(_ index: Int) -> EventPath {
    EventPath(steps + [.index(index)])
  }
}

extension EventPath: CustomStringConvertible, Comparable {
  /// The dotted form, with a backslash before a dot, a bracket or a backslash inside a key.
  public var description: String {
    joined { key in
      var spelled = String.UnicodeScalarView()
      for character in key.unicodeScalars {
        if character == "." || character == "[" || character == "]" || character == "\\" { spelled.append("\\") }
        spelled.append(character)
      }
      return String(spelled)
    }
  }

  /// The form that diagnostics print: a key that is not a plain word is quoted, `events."home.tap".parameters`.
  package var quotedDescription: String {
    joined { key in
      let isPlain = !key.isEmpty && key.utf8.allSatisfy { byte in isPlainKeyByte(byte) }
      return isPlain ? key : EventValue.string(key).canonicalText
    }
  }

  /// Orders by the UTF-8 bytes of the dotted form.
  public static func < (left: EventPath, right: EventPath) -> Bool {
    String.byteOrder(left.description, right.description)
  }

  private func joined(_ spelled: (String) -> String) -> String {
    var text = ""
    for (position, step) in steps.enumerated() {
      switch step {
      case .key(let key):
        if position > 0 { text += "." }
        text += spelled(key)
      case .index(let index): text += "[\(index)]"
      }
    }
    return text
  }
}

private func isPlainKeyByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "$"),
    UInt8(ascii: "*"):
    true
  default: false
  }
}

extension EventValue {
  /// ``canonicalJSON`` as text.
  package var canonicalText: String {
    String(decoding: canonicalJSON, as: UTF8.self)
  }
}
