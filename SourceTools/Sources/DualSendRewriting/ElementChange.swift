import DualSendCodeGeneration
import DualSendCore
import DualSendRemapping

/// What becomes of one element of a dictionary, besides a new key in the place of the old one.
enum ElementChange: Hashable {
  case drop
  /// Its value is converted.
  case convert(ValueRule)
  /// Its value is another.
  case replace(String)
  /// It moves below other keys.
  ///
  /// - keys: from the dictionary that it then stands in.
  /// - leaves: whether it stood in a dictionary inside of that one.
  case move(keys: [String], leaves: Bool, ValueRule?)

  var leaves: Bool { if case .move(_, true, _) = self { true } else { false } }
}

/// The changes of one file's elements, by where their keys stand.
typealias ElementChanges = [Range<Int>: ElementChange]

extension EventValue {
  /// The literal for it; `nil` if it has none of its own.
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

/// Some keys with what stands below them, as a dictionary literal is written.
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

  /// Takes a value in below its key; `false` if another stands there.
  mutating func add(_ keys: ArraySlice<String>, _ value: String) -> Bool {
    guard keys.first == key, self.value == nil, keys.count > 1 else { return false }
    let rest = keys.dropFirst()
    for place in inner.indices where inner[place].key == rest.first { return inner[place].add(rest, value) }
    inner.append(WrittenMember(rest, value))
    return true
  }

  /// Its text.
  ///
  /// - Parameters:
  ///   - type: the type of the values of the dictionary that it stands in.
  ///   - indent: what the lines of that dictionary begin with; `nil` if it stands on one line.
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
