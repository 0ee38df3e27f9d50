import DualSendCodeGeneration
import DualSendCore
import DualSendRemapping

/// The change of one element of a dictionary, other than a new key in the same place.
enum ElementChange: Hashable {
  case drop
  /// Its value is converted.
  case convert(ValueRule)
  /// Its value is replaced.
  case replace(String)
  /// It moves below other keys.
  ///
  /// - keys: from the dictionary that it then stands in.
  /// - leaves: whether it stood in a dictionary inside of that one.
  case move(keys: [String], leaves: Bool, ValueRule?)

  var leaves: Bool { if case .move(_, true, _) = self { true } else { false } }
}

/// The changes of one file's elements, by the position of their keys.
typealias ElementChanges = [Range<Int>: ElementChange]

extension EventValue {
  /// The literal for this value; `nil` if there is none.
  var swiftLiteral: String? {
    switch self {
    case .bool(let flag): "\(flag)"
    case .int(let number): "\(number)"
    case .double: canonicalText.contains { $0 == "." || $0 == "e" } ? canonicalText : canonicalText + ".0"
    case .string(let text): SwiftLiteral.string(text)
    default: nil
    }
  }
}

/// Keys with their values or nested keys, in the form of a dictionary literal.
struct WrittenMember {
  let key: String
  private(set) var value: String?
  private(set) var inner: [WrittenMember] = []

  init(_ keys: ArraySlice<String>, _ value: String) {
    key = keys.first ?? ""
    if keys.count > 1 {
      inner = [WrittenMember(keys.dropFirst(), value)]
    } else {
      self.value = value
    }
  }

  /// Adds a value below its key; `false` if the key already has another value.
  mutating func add(_ keys: ArraySlice<String>, _ value: String) -> Bool {
    guard keys.first == key, self.value == nil, keys.count > 1 else { return false }
    let rest = keys.dropFirst()
    for place in inner.indices where inner[place].key == rest.first { return inner[place].add(rest, value) }
    inner.append(WrittenMember(rest, value))
    return true
  }

  /// The literal's text.
  ///
  /// - Parameters:
  ///   - type: the value type of the enclosing dictionary.
  ///   - indent: the indentation of that dictionary's lines; `nil` if it is on one line.
  func text(type: String, indent: String?) -> String {
    let name = SwiftLiteral.string(key) + ": "
    if let value { return name + value }
    let cast = inner.count > 1 ? " as [String: \(type)]" : ""
    let line = name + "[" + inner.map { $0.text(type: type, indent: nil) }.joined(separator: ", ") + "]" + cast
    guard let indent, line.count + indent.count > Self.maximumWidth || line.contains("\n") else { return line }
    let step = indent.hasPrefix("\t") ? "\t" : "  "
    let lines = inner.map { indent + step + $0.text(type: type, indent: indent + step) + ",\n" }
    return name + "[\n" + lines.joined() + indent + "]" + cast
  }

  private static let maximumWidth = 110
}
