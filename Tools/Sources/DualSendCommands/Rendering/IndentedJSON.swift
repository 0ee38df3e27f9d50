@_spi(Tools) import DualSendCore

/// Writes documents that people read and edit: two spaces a level, what is short on one line, and the keys sorted but
/// for those that a reader looks for first.
struct IndentedJSON {
  private static let lineLength = 100
  private static let firstKeys = ["formatVersion", "revision", "salt", "name", "to", "match"]
  private var text = ""

  /// The value as a document, with a line feed at its end.
  static func text(_ value: EventValue) -> String {
    var writer = IndentedJSON()
    writer.write(value, indent: 0)
    return writer.text + "\n"
  }

  private mutating func write(_ value: EventValue, indent: Int) {
    switch value {
    case .object(let members) where !members.isEmpty && !isShort(value, indent):
      list("{", "}", Self.sorted(members), indent: indent) { writer, member in
        writer.text += EventValue.string(member.key).canonicalText + ": "
        writer.write(member.value, indent: indent + 1)
      }
    case .array(let elements) where !elements.isEmpty && !isShort(value, indent):
      list("[", "]", elements, indent: indent) { writer, element in writer.write(element, indent: indent + 1) }
    default: text += oneLine(value)
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

  private static func sorted(_ members: [String: EventValue]) -> [(key: String, value: EventValue)] {
    members.sorted { left, right in
      let (leftRank, rightRank) = (rank(left.key), rank(right.key))
      return leftRank == rightRank ? precedesInUTF16(left.key, right.key) : leftRank < rightRank
    }
  }

  private static func rank(_ key: String) -> Int {
    firstKeys.firstIndex(of: key) ?? firstKeys.count
  }

  /// Containers of plain values, or of lists of them, that fit into a line stay on it.
  private func isShort(_ value: EventValue, _ indent: Int) -> Bool {
    let isFlat =
      switch value {
      case .object(let members): members.values.allSatisfy(\.isPlainOrList)
      case .array(let elements): elements.allSatisfy(\.isPlain)
      default: true
      }
    return isFlat && indent * 2 + oneLine(value).utf8.count <= Self.lineLength
  }

  private func oneLine(_ value: EventValue) -> String {
    switch value {
    case .object(let members):
      let pairs = Self.sorted(members).map { EventValue.string($0.key).canonicalText + ": " + oneLine($0.value) }
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
