package import DualSendCore

/// Writes JSON for people: two spaces per level, one member or element per line.
package struct IndentedJSON {
  private let lineLength: Int
  private let firstKeys: [String]
  private var text = ""

  /// The value as indented JSON with a final line feed.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - lineLength: containers of plain values, or of lists of them, stay on one line if they fit into this many
  ///     bytes.
  ///   - firstKeys: the keys to write first. The others are sorted.
  package static func text(_ value: EventValue, lineLength: Int = 0, firstKeys: [String] = []) -> String {
    var writer = IndentedJSON(lineLength: lineLength, firstKeys: firstKeys)
    writer.write(value, indent: 0)
    return writer.text + "\n"
  }

  /// An object with its members in the given order. Nested keys are sorted; only empty containers are on one line.
  package static func text(_ members: [(key: String, value: EventValue)]) -> String {
    var writer = IndentedJSON(lineLength: 0, firstKeys: [])
    writer.write(members, indent: 0)
    return writer.text + "\n"
  }

  private init(lineLength: Int, firstKeys: [String]) {
    self.lineLength = lineLength
    self.firstKeys = firstKeys
  }

  private mutating func write(_ value: EventValue, indent: Int) {
    switch value {
    case .object(let members) where !members.isEmpty && !isShort(value, indent):
      write(sorted(members), indent: indent)
    case .array(let elements) where !elements.isEmpty && !isShort(value, indent):
      list("[", "]", elements, indent: indent) { writer, element in writer.write(element, indent: indent + 1) }
    default: text += oneLine(value)
    }
  }

  private mutating func write(_ members: [(key: String, value: EventValue)], indent: Int) {
    list("{", "}", members, indent: indent) { writer, member in
      writer.text += EventValue.string(member.key).canonicalText + ": "
      writer.write(member.value, indent: indent + 1)
    }
  }

  private mutating func list<Item>(
    _ open: String, _ close: String, _ items: [Item], indent: Int, _ write: (inout IndentedJSON, Item) -> Void
  ) {
    text += open
    for (index, item) in items.enumerated() {
      text += (index > 0 ? ",\n" : "\n") + String(repeating: "  ", count: indent + 1)
      write(&self, item)
    }
    text += "\n" + String(repeating: "  ", count: indent) + close
  }

  private func sorted(_ members: [String: EventValue]) -> [(key: String, value: EventValue)] {
    members.inOrder { left, right in
      let (leftRank, rightRank) = (rank(left.key), rank(right.key))
      return leftRank == rightRank ? precedesInUTF16(left.key, right.key) : leftRank < rightRank
    }
  }

  private func rank(_ key: String) -> Int {
    firstKeys.firstIndex(of: key) ?? firstKeys.count
  }

  private func isShort(_ value: EventValue, _ indent: Int) -> Bool {
    let isFlat =
      switch value {
      case .object(let members): members.values.allSatisfy(\.isPlainOrList)
      case .array(let elements): elements.allSatisfy(\.isPlain)
      default: true
      }
    return isFlat && lineLength > 0 && indent * 2 + oneLine(value).utf8.count <= lineLength
  }

  private func oneLine(_ value: EventValue) -> String {
    switch value {
    case .object(let members):
      let pairs = sorted(members).map { EventValue.string($0.key).canonicalText + ": " + oneLine($0.value) }
      return pairs.isEmpty ? "{}" : "{ " + pairs.joined(separator: ", ") + " }"
    case .array(let elements): return "[" + elements.map(oneLine).joined(separator: ", ") + "]"
    default: return value.canonicalText
    }
  }
}

extension EventValue {
  fileprivate var isPlain: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  fileprivate var isPlainOrList: Bool {
    if case .array(let elements) = self { elements.allSatisfy(\.isPlain) } else { isPlain }
  }
}
